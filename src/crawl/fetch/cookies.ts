import { CookieJar } from 'tough-cookie'
import type { CookieStore } from './types.ts'

/** Cookies for as long as one run lasts: enough for consent walls, nothing to remember people by. */
export function createCookieStore(): CookieStore {
  const jar = new CookieJar(undefined, { looseMode: true, rejectPublicSuffixes: true })
  return {
    headerFor: (url) => jar.getCookieString(url),
    keep: async (url, setCookies) => {
      for (const cookie of setCookies) await jar.setCookie(cookie, url, { ignoreError: true })
    },
  }
}
