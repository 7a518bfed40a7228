/** Wake-up calls between processes. Each is only a hint: whoever misses one finds the same by polling. */
export const channels = {
  /** Runs are waiting. */
  ready: 'runs_ready',
  /** Payload: ids of runs, separated by commas, that must stop. */
  stop: 'runs_stop',
  /** Payload: ids of runs that moved on: progress, a new state, an end. */
  changed: 'runs_changed',
  /** Payload: ids of runs with new log lines. */
  logged: 'runs_logged',
} as const

/** NOTIFY carries up to 8,000 bytes, which is 200 ids; more is said as "look for yourself". */
export function idsPayload(ids: readonly string[]): string {
  return ids.length > 200 ? '' : ids.join(',')
}

/** null: it may be any run. */
export function payloadIds(payload: string | null): Set<string> | null {
  return payload === null || payload === '' ? null : new Set(payload.split(','))
}
