import type { Agent, fetch as undiciFetch } from 'undici'
import type { Guard } from './guard.ts'

/** `fetch` for outside services from configuration: every connection passes the guard, redirects included. */
export function createGuardedFetch(guard: Guard): typeof fetch {
  let dispatcher: Agent | null = null
  return (async (
    input: Parameters<typeof undiciFetch>[0],
    init?: Parameters<typeof undiciFetch>[1],
  ) => {
    const undici = await import('undici')
    dispatcher ??= new undici.Agent({ connect: guard.connector })
    return undici.fetch(input, { ...init, dispatcher })
  }) as unknown as typeof fetch
}
