import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { didYouMean } from './kernel/did-you-mean.ts'
import { Stop, messageOf } from './kernel/errors.ts'
import { settings } from './settings.ts'

type Settings = typeof settings
export type SettingName = keyof Settings
export type Config = Readonly<{ [K in SettingName]: ReturnType<Settings[K]['read']> }>
type Env = Record<string, string | undefined>

/** Names that start like ours but are nobody's setting are typing errors worth refusing. */
const ownPrefixes = [
  'MILLRACE_',
  'CRAWLER_',
  'FETCHER_',
  'REDIS_',
  'AUTH_',
  'AI_',
  'GEOCODER_',
  'EMBEDDINGS_',
  'PIPELINE_',
  'SLACK_',
  'S3_',
  'ELASTICSEARCH_',
  'LIFECYCLE_',
]

/** Reads the environment once, refuses what is wrong by name, and freezes the result. */
export function loadConfig(env: Env = process.env): Config {
  const problems = unknownVariables(env)
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings)) {
    try {
      values[name] = setting.read(textOf(setting.variable, setting.secret, env))
    } catch (error) {
      problems.push(`${setting.variable}: ${messageOf(error)}`)
    }
  }
  if (problems.length > 0) {
    throw new Stop(`The configuration is not valid:\n${problems.map((p) => `  - ${p}`).join('\n')}`)
  }
  values['dataDir'] = resolve(String(values['dataDir']))
  return Object.freeze(values) as Config
}

/** The effective configuration for people: variable, value with secrets masked, and where it came from. */
export function describeConfig(
  config: Config,
  env: Env = process.env,
): { variable: string; value: string; origin: 'environment' | 'default'; about: string }[] {
  return Object.entries(settings).map(([name, setting]) => {
    const value: unknown = config[name as SettingName]
    const given = env[setting.variable] ?? env[`${setting.variable}_FILE`]
    return {
      variable: setting.variable,
      value: setting.secret && value !== null ? '********' : displayed(value),
      origin: given === undefined || given === '' ? 'default' : 'environment',
      about: setting.about,
    }
  })
}

function textOf(variable: string, secret: boolean, env: Env): string | undefined {
  const direct = env[variable]
  const file = secret ? env[`${variable}_FILE`] : undefined
  if (direct !== undefined && direct !== '' && file !== undefined && file !== '') {
    throw new Error(`set either ${variable} or ${variable}_FILE, not both`)
  }
  if (file === undefined || file === '') return direct === '' ? undefined : direct
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new Error(`the file in ${variable}_FILE cannot be read: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

function unknownVariables(env: Env): string[] {
  const known = new Set<string>()
  for (const setting of Object.values(settings)) {
    known.add(setting.variable)
    if (setting.secret) known.add(`${setting.variable}_FILE`)
  }
  return Object.keys(env)
    .filter((name) => ownPrefixes.some((prefix) => name.startsWith(prefix)) && !known.has(name))
    .map((name) => {
      const close = didYouMean(name, known)
      return `${name}: no such setting${close === null ? '' : `, did you mean ${close}?`}`
    })
}

function displayed(value: unknown): string {
  if (value === null) return '(not set)'
  return Array.isArray(value) ? value.join(',') : `${value as string | number | boolean}`
}
