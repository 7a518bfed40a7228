import type { Guard } from './guard.ts'
import { startGuardedProxy, type GuardedProxy } from './guarded-proxy.ts'

/** The guarded proxies of this process: one for direct connections, one for each outside proxy in use. */
export interface Relays {
  urlFor(proxy: string | null): Promise<string>
  close(): Promise<void>
}

export function createRelays(guard: Guard, trustedProxies: readonly string[] = []): Relays {
  const running = new Map<string | null, Promise<GuardedProxy>>()
  return {
    urlFor: async (proxy) => {
      let relay = running.get(proxy)
      if (relay === undefined) {
        const route =
          proxy === null ? null : { url: proxy, trusted: trustedProxies.includes(proxy) }
        relay = startGuardedProxy(guard, route)
        running.set(proxy, relay)
      }
      return (await relay).url
    },
    close: async () => {
      for (const relay of running.values()) await (await relay).close()
      running.clear()
    },
  }
}
