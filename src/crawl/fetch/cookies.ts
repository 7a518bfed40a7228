import type { CookieJar } from 'tough-cookie'
import type { CookieStore } from './types.ts'

/** Cookies for as long as one run lasts: enough for consent walls, nothing to remember people by. */
export function createCookieStore(): CookieStore {
  /** Most sites set none: the jar is made by the first cookie. */
  let jar: CookieJar | null = null
  return {
    headerFor: async (url) => jar?.getCookieString(url) ?? '',
    keep: async (url, setCookies) => {
      if (setCookies.length === 0) return
      jar ??= await openJar()
      for (const cookie of setCookies) await jar.setCookie(cookie, url, { ignoreError: true })
    },
  }
}

async function openJar(): Promise<CookieJar> {
  const tough = await import('tough-cookie')
  return new tough.CookieJar(undefined, { looseMode: true, rejectPublicSuffixes: true })
}
