import type { Page } from '../page.ts'

export type LdNode = Record<string, unknown>

/** What the page says about itself outside its visible text. */
export interface Declared {
  /** Every JSON-LD object with a type, in document order. */
  nodes: LdNode[]
  /** The object that describes the article this page is about. */
  article: LdNode | null
  types: ReadonlySet<string>
  /** First content by meta key. */
  metas: ReadonlyMap<string, string>
}

const maxScriptLength = 2_000_000
const maxNodes = 5_000

export function readDeclared(page: Page): Declared {
  const nodes: LdNode[] = []
  for (const script of page.scan.scripts) {
    if (!script.type.includes('ld+json') || script.text.length > maxScriptLength) continue
    collectNodes(parseLenient(script.text), nodes)
  }
  const metas = new Map<string, string>()
  for (const { key, content } of page.scan.metas) {
    const value = content.trim()
    if (value !== '' && !metas.has(key)) metas.set(key, value)
  }
  const types = new Set(nodes.flatMap(typesOf))
  return { nodes, article: pickArticle(nodes), types, metas }
}

/** JSON as sites really write it: comments around it, trailing commas, raw line breaks in strings. */
function parseLenient(text: string): unknown {
  const trimmed = text
    .trim()
    .replace(/^(?:<!--|<!\[CDATA\[|\/\/\s*<!\[CDATA\[|\/\*[^*]*\*\/)+/, '')
    .replace(/(?:-->|(?:\/\/\s*)?\]\]>|;)+\s*$/, '')
  try {
    return JSON.parse(trimmed)
  } catch {
    try {
      return JSON.parse(mend(trimmed))
    } catch {
      return null
    }
  }
}

function mend(text: string): string {
  let out = ''
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i)
    if (inString) {
      if (char === '\\') {
        out += /["\\/bfnrtu]/.test(text.charAt(i + 1)) ? char + text.charAt(i + 1) : ''
        i++
      } else if (char < ' ') out += ' '
      else {
        if (char === '"') inString = false
        out += char
      }
    } else {
      if (char === '"') inString = true
      if (char === ',' && /^,[\s,]*[}\]]/.test(text.slice(i, i + 200))) continue
      out += char
    }
  }
  return out
}

function collectNodes(value: unknown, into: LdNode[]): void {
  const queue: unknown[] = [value]
  for (let i = 0; i < queue.length && i < maxNodes; i++) {
    const at = queue[i]
    if (Array.isArray(at)) queue.push(...at.slice(0, maxNodes))
    else if (isNode(at)) {
      if (at['@type'] !== undefined) into.push(at)
      for (const key of [
        '@graph',
        'mainEntity',
        'mainEntityOfPage',
        'itemListElement',
        'item',
        'hasPart',
      ]) {
        if (typeof at[key] === 'object') queue.push(at[key])
      }
    }
  }
}

function pickArticle(nodes: LdNode[]): LdNode | null {
  let best: LdNode | null = null
  let bestScore = 0
  for (const node of nodes) {
    if (!typesOf(node).some((type) => articleTypes.test(type))) continue
    const score =
      1 +
      (node['datePublished'] === undefined ? 0 : 2) +
      (node['headline'] === undefined ? 0 : 1) +
      (typeof node['articleBody'] === 'string' ? 2 : 0)
    if (score > bestScore) {
      best = node
      bestScore = score
    }
  }
  return best
}

const articleTypes =
  /Article$|BlogPosting$|^Report$|^Review$|^DiscussionForumPosting$|^SocialMediaPosting$|^Recipe$/

export function typesOf(node: LdNode): string[] {
  const type = node['@type']
  const list = Array.isArray(type) ? type : [type]
  return list
    .filter((name): name is string => typeof name === 'string')
    .map((name) => name.replace(/^.*[/:#]/, ''))
}

export function isNode(value: unknown): value is LdNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The readable text of a JSON-LD value: a string, or the name or URL of an object. */
export function ldText(value: unknown, keys: readonly string[] = ['name']): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim()
  if (Array.isArray(value)) {
    for (const entry of value.slice(0, 20)) {
      const text = ldText(entry, keys)
      if (text !== null) return text
    }
    return null
  }
  if (!isNode(value)) return null
  for (const key of keys) {
    const inner = value[key]
    if (typeof inner === 'string' && inner.trim() !== '') return inner.trim()
  }
  return null
}
