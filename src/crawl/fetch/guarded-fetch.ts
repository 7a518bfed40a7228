import { Agent, fetch as undiciFetch } from 'undici'
import type { Guard } from './guard.ts'

/** `fetch` for outside services from configuration: every connection passes the guard, redirects included. */
export function createGuardedFetch(guard: Guard): typeof fetch {
  const dispatcher = new Agent({ connect: guard.connector })
  return (async (
    input: Parameters<typeof undiciFetch>[0],
    init?: Parameters<typeof undiciFetch>[1],
  ) => undiciFetch(input, { ...init, dispatcher })) as unknown as typeof fetch
}
