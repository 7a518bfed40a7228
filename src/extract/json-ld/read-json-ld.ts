import type { Page } from '../page.ts'
import { addValue, linkReferences, newThing, shortName, type Thing } from '../schema-org/thing.ts'
import { parseJsonScript } from './parse-script.ts'

const MAX_NODES = 200_000
const MAX_DEPTH = 60

/** All JSON-LD of a page as things, references between scripts resolved. */
export function readJsonLd(page: Page): Thing[] {
  const roots: Thing[] = []
  const budget = { nodes: MAX_NODES }
  let index = 0
  for (const script of page.scan.scripts) {
    if (!/ld\+json|json\+ld/.test(script.type)) continue
    const path = `ld+json[${index++}]`
    for (const value of parseJsonScript(script.text).values)
      collectRoots(value, path, roots, budget, 0)
  }
  linkReferences(roots)
  return roots
}

interface Budget {
  nodes: number
}

function collectRoots(
  value: unknown,
  path: string,
  roots: Thing[],
  budget: Budget,
  depth: number,
): void {
  if (Array.isArray(value)) {
    value.forEach((item, i) => collectRoots(item, `${path}[${i}]`, roots, budget, depth + 1))
    return
  }
  if (!isRecord(value) || depth > MAX_DEPTH) return
  const graph = value['@graph']
  if (graph !== undefined) collectRoots(graph, `${path}.@graph`, roots, budget, depth + 1)
  const thing = toThing(value, path, budget, depth)
  if (thing.props.size > 0 || thing.types.length > 0) roots.push(thing)
}

function toThing(
  node: Record<string, unknown>,
  path: string,
  budget: Budget,
  depth: number,
): Thing {
  const thing = newThing('json-ld', path)
  for (const [rawKey, value] of Object.entries(node)) {
    const key = rawKey.trim()
    const lower = key.toLowerCase()
    if (lower === '@type') thing.types = typeNames(value)
    else if (lower === '@id') thing.id = typeof value === 'string' ? value.trim() : null
    else if (lower === '@reverse' && isRecord(value)) {
      for (const [name, inner] of Object.entries(value)) {
        addValues(
          thing,
          `^${shortName(name)}`,
          inner,
          `${path}.@reverse.${name}`,
          budget,
          depth + 1,
        )
      }
    } else if (!key.startsWith('@')) {
      addValues(thing, shortName(key), value, `${path}.${key}`, budget, depth + 1)
    }
  }
  if (thing.types.length === 0)
    thing.types = typeNames(node['type']).filter((type) => /^[A-Z]/.test(type))
  thing.id ??= typeof node['id'] === 'string' ? node['id'] : null
  return thing
}

function addValues(
  thing: Thing,
  name: string,
  value: unknown,
  path: string,
  budget: Budget,
  depth: number,
): void {
  if (value === null || value === undefined || depth > MAX_DEPTH || budget.nodes-- <= 0) return
  if (Array.isArray(value)) {
    value.forEach((item, i) => addValues(thing, name, item, `${path}[${i}]`, budget, depth + 1))
    return
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    if (value !== '') addValue(thing, name, value)
    return
  }
  if (!isRecord(value)) return
  const inner = value['@value'] ?? value['@list'] ?? value['@set'] ?? value['@graph']
  if (inner !== undefined) addValues(thing, name, inner, path, budget, depth + 1)
  else addValue(thing, name, toThing(value, path, budget, depth))
}

function typeNames(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value]
  return list
    .filter((type) => typeof type === 'string' && type !== '')
    .map((type) => shortName(String(type)))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
