/** What a page asks of crawlers in `X-Robots-Tag` or `<meta name="robots">`. */
export interface RobotsDirectives {
  noindex: boolean
  nofollow: boolean
  noarchive: boolean
  /** ISO, UTC. */
  unavailableAfter: string | null
}

const VALUELESS = new Set(
  `all index follow none noindex nofollow noarchive nocache nosnippet noimageindex notranslate noodp noydir
  indexifembedded noai noimageai noml`.split(/\s+/),
)
const VALUED = new Set([
  'unavailable_after',
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
])

/**
 * Reads one header or meta value, or several. `otherbot: noindex` speaks to that bot only, up to the next
 * agent named in the same value.
 */
export function parseRobotsDirectives(
  headerOrMeta: string | readonly string[] | null | undefined,
  userAgent: string,
): RobotsDirectives {
  const result: RobotsDirectives = {
    noindex: false,
    nofollow: false,
    noarchive: false,
    unavailableAfter: null,
  }
  const agent = (/^[a-z_-]+/i.exec(userAgent.trim())?.[0] ?? userAgent).toLowerCase()
  for (const value of typeof headerOrMeta === 'string' ? [headerOrMeta] : (headerOrMeta ?? [])) {
    let addressed = true
    for (const { to, name, argument } of directives(value)) {
      if (to !== null) addressed = to === '*' || to === 'robots' || to === agent
      if (addressed) apply(result, name, argument)
    }
  }
  return result
}

interface Directive {
  to: string | null
  name: string
  argument: string
}

function directives(value: string): Directive[] {
  const found: Directive[] = []
  for (const part of value.slice(0, 4096).split(',')) {
    const directive = parseDirective(part.trim())
    const last = found.at(-1)
    // `unavailable_after: Friday, 25-Jun-10` holds a comma of its own.
    if (directive) found.push(directive)
    else if (last?.name === 'unavailable_after') last.argument += `,${part}`
  }
  return found
}

function parseDirective(text: string): Directive | null {
  const lower = text.toLowerCase()
  if (VALUELESS.has(lower)) return { to: null, name: lower, argument: '' }
  const [, head = '', rest = ''] = /^([^:\s]+)\s*:\s*(.*)$/s.exec(text) ?? []
  const name = head.toLowerCase()
  if (VALUED.has(name)) return { to: null, name, argument: rest }
  if (head === '' || !/^[a-z_*-]+$/.test(name)) return null
  const inner = parseDirective(rest)
  return inner ? { ...inner, to: inner.to ?? name } : null
}

function apply(result: RobotsDirectives, name: string, argument: string): void {
  if (name === 'noindex' || name === 'none') result.noindex = true
  if (name === 'nofollow' || name === 'none') result.nofollow = true
  if (name === 'noarchive' || name === 'nocache') result.noarchive = true
  if (name === 'unavailable_after') result.unavailableAfter = isoDate(argument)
}

function isoDate(text: string): string | null {
  const hasZone = /(?:z|gmt|utc|[a-z]{2,3}t|[+-]\d\d:?\d\d)\s*\)?$/i.test(text)
  const dateOnly = /^\d{4}-\d\d-\d\d$/.test(text.trim())
  const time = Date.parse(hasZone || dateOnly ? text : `${text} UTC`)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
