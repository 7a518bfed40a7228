// robots.txt as RFC 9309 describes it, and as forgiving as Google's parser where files in the wild are not.
import { escapePath } from './escape.ts'

export interface Rule {
  allow: boolean
  /** Escaped; `*` is any text, a final `$` the end of the address. */
  pattern: string
}

export interface RobotsGroup {
  /** Lower-case product tokens; `*` for everybody. */
  agents: string[]
  rules: Rule[]
}

export interface Robots {
  groups: RobotsGroup[]
  /** Seconds by agent. */
  crawlDelays: Map<string, number>
  sitemaps: string[]
}

const MAX_CHARS = 500 * 1024
const MAX_LINE_CHARS = 2083 * 8 - 1

type Field = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'crawl-delay'

export function parseRobots(text: string): Robots {
  const robots: Robots = { groups: [], crawlDelays: new Map(), sitemaps: [] }
  let group: RobotsGroup | null = null
  let delayAgents: string[] = []
  let previous: Field | null = null

  for (const rawLine of text
    .slice(0, MAX_CHARS)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)) {
    const line = parseLine(rawLine.slice(0, MAX_LINE_CHARS))
    if (!line) continue
    const { field, value } = line
    if (field === 'user-agent') {
      // Only rules close a group; a crawl delay also ends the list of agents it speaks to.
      if (!group || group.rules.length > 0) {
        group = { agents: [], rules: [] }
        robots.groups.push(group)
      }
      if (previous !== 'user-agent') delayAgents = []
      const agent = agentToken(value)
      group.agents.push(agent)
      delayAgents.push(agent)
    } else if (field === 'allow' || field === 'disallow') {
      group?.rules.push({ allow: field === 'allow', pattern: escapePath(value) })
    } else if (field === 'crawl-delay') {
      setDelay(robots.crawlDelays, delayAgents, value)
    } else if (value !== '') {
      robots.sitemaps.push(value)
    }
    if (field !== 'sitemap') previous = field
  }
  return robots
}

function parseLine(raw: string): { field: Field; value: string } | null {
  const line = raw.replace(/#.*$/s, '').trim()
  const at = separatorAt(line)
  if (at <= 0) return null
  const field = fieldOf(line.slice(0, at).trim().toLowerCase())
  return field ? { field, value: line.slice(at + 1).trim() } : null
}

// `Disallow /private` without its colon is meant well when it is exactly two words.
function separatorAt(line: string): number {
  const colon = line.indexOf(':')
  if (colon !== -1) return colon
  return /^\S+[ \t]+\S+$/.test(line) ? line.search(/[ \t]/) : -1
}

const FIELDS: [Field, RegExp][] = [
  ['user-agent', /^user[- ]?agent/],
  ['allow', /^allow/],
  ['disallow', /^(?:disallow|dissallow|dissalow|disalow|diasllow|disallaw)/],
  ['sitemap', /^site-?map/],
  ['crawl-delay', /^crawl-?delay$/],
]

function fieldOf(name: string): Field | null {
  return FIELDS.find(([, spelling]) => spelling.test(name))?.[0] ?? null
}

// `Foo Bar/2.1` speaks to the product token `foo`; `*` may be followed by a remark.
function agentToken(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return '*'
  return /^[a-z_-]*/i.exec(value)?.[0].toLowerCase() ?? ''
}

function setDelay(delays: Map<string, number>, agents: string[], value: string): void {
  if (!/^\+?(?:\d+\.?\d*|\.\d+)$/.test(value)) return
  for (const agent of agents) delays.set(agent, Number(value))
}
