export interface WaitOptions {
  timeoutMs?: number
  everyMs?: number
}

/** Waits until `condition` gives something truthy, and says what was waited for when it never does. */
export async function waitFor<T>(
  what: string,
  condition: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  options: WaitOptions = {},
): Promise<T> {
  const deadline = Date.now() + (options.timeoutMs ?? 40_000)
  let lastError: unknown
  while (Date.now() < deadline) {
    try {
      const value = await condition()
      if (value) return value
    } catch (error) {
      lastError = error
    }
    await new Promise((resolve) => setTimeout(resolve, options.everyMs ?? 25))
  }
  throw new Error(`waited in vain for ${what}`, { cause: lastError })
}
