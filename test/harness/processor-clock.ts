/**
 * Starts counting this process's processor time and returns how to read it, in milliseconds. Limits on work are held to
 * it rather than to the clock on the wall, which also counts what the neighbours do.
 */
export function processorClock(): () => number {
  const started = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(started)
    return (user + system) / 1000
  }
}
