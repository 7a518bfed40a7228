import { hash } from 'node:crypto'
import { getDomain } from 'tldts'
import { dropNoiseParams, dropPathSession } from './url/noise.ts'
import { normalizePath, normalizeQueryPart } from './url/percent.ts'

/**
 * The one URL identity: two addresses with the same result are the same page for the frontier, pages,
 * items and stage events. Only http(s); anything else is null.
 */
export function normalizeUrl(raw: string, base?: string): string | null {
  const url = parse(raw, base)
  if (!url || !isHttp(url)) return null
  const path = dropPathSession(normalizePath(url.pathname))
  const query = normalizeQuery(url.search)
  const canonical = parse(`${url.protocol}//${userInfo(url)}${normalizeHost(url)}${path}${query}`)
  return canonical && isHttp(canonical) ? canonical.href + route(url.hash) : null
}

/** Key of a normalized URL in tables and sets. */
export function urlHash(normalized: string): string {
  return hash('sha256', normalized)
}

/** A link as a browser would follow it, any scheme; null when it is no URL. */
export function resolveUrl(raw: string, base?: string | null): string | null {
  return parse(raw, base ?? undefined)?.href ?? resolveUndecodableHost(raw)
}

/** The domain somebody registered (`example.co.uk`, `someone.github.io`); null for IPs and bare hosts. */
export function registrableDomain(url: string): string | null {
  const parsed = parse(url)
  return parsed ? getDomain(parsed.hostname, { allowPrivateDomains: true }) : null
}

/** Politeness and robots are kept per `host[:port]`, whatever the scheme. */
export function hostKey(url: string): string | null {
  const parsed = parse(url)
  return parsed && parsed.hostname !== '' ? normalizeHost(parsed) : null
}

export function sameSite(a: string, b: string): boolean {
  const left = siteOf(a)
  return left !== null && left === siteOf(b)
}

function siteOf(url: string): string | null {
  return registrableDomain(url) ?? (parse(url)?.hostname || null)
}

function parse(raw: string, base?: string): URL | null {
  try {
    return new URL(raw, base)
  } catch {
    return null
  }
}

const STAND_IN = 'xn-0-'

// The standard takes an ASCII host as it stands; Node first wants its `xn--` labels to decode. Parsed under a
// name that claims no encoding, the address comes out as the standard has it.
function resolveUndecodableHost(raw: string): string | null {
  const authority = /^\s*https?:\/\/([^/?#%]*)(?:[/?#]|$)/i.exec(raw)?.[1] ?? ''
  if (!/^[!-~]*xn--[!-~]*$/i.test(authority)) return null
  const url = parse(raw.replace(authority, authority.replace(/xn--/gi, STAND_IN)))
  return url ? url.href.replaceAll(STAND_IN, 'xn--') : null
}

function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:'
}

function userInfo(url: URL): string {
  if (url.username === '' && url.password === '') return ''
  return url.password === '' ? `${url.username}@` : `${url.username}:${url.password}@`
}

// The root dot of a host name (`example.com.`) names the same server.
function normalizeHost(url: URL): string {
  const host = url.hostname.replace(/(?<=[^.])\.$/, '')
  return url.port === '' ? host : `${host}:${url.port}`
}

function normalizeQuery(search: string): string {
  const params = search.slice(1).split('&').map(normalizeParam)
  const kept = dropNoiseParams(params.filter((param) => param.name !== '' || param.value !== ''))
  const sorted = kept.toSorted((a, b) => order(a.name, b.name) || order(a.value, b.value))
  const text = sorted.map(({ name, value }) => (value === '' ? name : `${name}=${value}`)).join('&')
  return text === '' ? '' : `?${text}`
}

function normalizeParam(param: string): { name: string; value: string } {
  const at = param.indexOf('=')
  if (at === -1) return { name: normalizeQueryPart(param), value: '' }
  return {
    name: normalizeQueryPart(param.slice(0, at)),
    value: normalizeQueryPart(param.slice(at + 1)),
  }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

// `#!/agenda` is a page of its own on older single-page sites; every other fragment is a place in a page.
function route(hash: string): string {
  return hash.startsWith('#!') && hash.length > 2 ? hash : ''
}
