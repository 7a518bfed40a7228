const minuteMs = 60_000

/**
 * The next turn in an old rhythm: the first `due + n × interval` after `now`. Turns that were missed
 * collapse into none, and the phase survives restarts, long runs and clock jumps.
 */
export function nextTurn(due: Date, intervalMinutes: number, now: Date): Date {
  const interval = intervalMinutes * minuteMs
  const behind = now.getTime() - due.getTime()
  if (behind < 0) return due
  const turns = Math.floor(behind / interval) + 1
  return new Date(due.getTime() + turns * interval)
}
