import { pino, stdSerializers, type Logger } from 'pino'

export type Log = Logger

export interface LogOptions {
  level: string
  /** Readable lines for a terminal instead of JSON. */
  pretty: boolean
  fields?: Record<string, string>
}

/** Keys whose values never reach a log line, wherever they stand. */
const secretPaths = [
  'authorization',
  'cookie',
  'password',
  'token',
  'secret',
  'api_key',
  'x-api-key',
]

export function createLog(options: LogOptions): Log {
  return pino({
    level: options.level,
    base: { service: 'millrace', ...options.fields },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: stdSerializers.err, error: stdSerializers.err },
    redact: {
      paths: secretPaths.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`]),
      censor: '[secret]',
    },
    ...(options.pretty && {
      transport: {
        target: 'pino-pretty',
        options: { translateTime: 'HH:MM:ss', ignore: 'pid,hostname,service,instance' },
      },
    }),
  })
}

export const silentLog: Log = pino({ level: 'silent' })
