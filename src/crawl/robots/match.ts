import { escapePath } from './escape.ts'
import type { Robots, Rule } from './parse.ts'

/** Whether this agent may fetch the URL: the longest matching rule decides, `Allow` wins a tie. */
export function isAllowed(robots: Robots, userAgent: string, url: string): boolean {
  const path = pathOf(url)
  return decide(rulesFor(robots, productToken(userAgent)), path)
}

/** Seconds to wait between two requests, when the file asks for it. */
export function crawlDelay(robots: Robots, userAgent: string): number | null {
  const { crawlDelays, groups } = robots
  const agent = productToken(userAgent)
  const own = crawlDelays.get(agent)
  if (own !== undefined) return own
  const hasOwnGroup = groups.some((group) => group.agents.includes(agent))
  return hasOwnGroup ? null : (crawlDelays.get('*') ?? null)
}

/** The rules of all groups naming the agent count together; without any, those for everybody. */
function rulesFor(robots: Robots, agent: string): Rule[] {
  const own = robots.groups.filter((group) => group.agents.includes(agent))
  const groups = own.length > 0 ? own : robots.groups.filter((group) => group.agents.includes('*'))
  return groups.flatMap((group) => group.rules)
}

// `MillraceBot/1.0 (+https://…)` is addressed as `MillraceBot`.
function productToken(userAgent: string): string {
  return userAgent
    .trim()
    .replace(/^([a-z_-]+)\/.*$/is, '$1')
    .toLowerCase()
}

function decide(rules: Rule[], path: string): boolean {
  let allow = -1
  let disallow = -1
  for (const rule of rules) {
    if (rule.allow) allow = Math.max(allow, allowPriority(rule.pattern, path))
    else if (rule.pattern.length > disallow && matches(rule.pattern, path)) {
      disallow = rule.pattern.length
    }
  }
  return disallow <= Math.max(allow, 0)
}

// `Allow: /dir/index.html` also means the folder itself.
function allowPriority(pattern: string, path: string): number {
  if (matches(pattern, path)) return pattern.length
  const slash = pattern.lastIndexOf('/')
  if (slash === -1 || !pattern.startsWith('/index.htm', slash)) return -1
  const folder = `${pattern.slice(0, slash + 1)}$`
  return matches(folder, path) ? folder.length : -1
}

/** Each piece between wildcards is taken at its first place after the one before: no backtracking. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$')
  const pieces = (anchored ? pattern.slice(0, -1) : pattern).split('*')
  const first = pieces[0] ?? ''
  if (!path.startsWith(first)) return false
  if (pieces.length === 1) return !anchored || path.length === first.length

  const last = anchored ? pieces.pop() : undefined
  let at = first.length
  for (const piece of pieces.slice(1)) {
    const found = path.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return last === undefined || (path.length - last.length >= at && path.endsWith(last))
}

// Taken from the text, not from a parsed URL: a parser would rewrite what the rules are compared with.
function pathOf(url: string): string {
  const rest = url.replace(/#.*$/s, '').replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//i, '')
  const start = rest.search(/[/?;]/)
  if (start === -1) return '/'
  const path = escapePath(rest.slice(start))
  return path.startsWith('/') ? path : `/${path}`
}
