import { isPlainObject, setProperty, storable, UNKNOWN } from './evaluate-values.ts'
import type { JsonObject } from './state.ts'

const MAX_TEXT = 20_000_000
const MAX_ARRAY = 10_000

const KNOWN: ReadonlyMap<string, (args: readonly unknown[]) => unknown> = new Map<
  string,
  (args: readonly unknown[]) => unknown
>([
  ['JSON.parse', ([text]) => attempt(() => JSON.parse(asText(text)))],
  ['decodeURIComponent', ([text]) => attempt(() => decodeURIComponent(asText(text)))],
  ['decodeURI', ([text]) => attempt(() => decodeURI(asText(text)))],
  ['unescape', ([text]) => attempt(() => decodeURIComponent(asText(text)))],
  ['atob', ([text]) => attempt(() => Buffer.from(asText(text), 'base64').toString('latin1'))],
  ['Object.assign', (args) => assign(args)],
  ['Object.freeze', ([value]) => value],
  ['Object.seal', ([value]) => value],
  ['Object.create', () => ({})],
  ['Object.fromEntries', ([entries]) => fromEntries(entries)],
  ['Promise.resolve', ([value]) => value],
  ['Array', (args) => list(args)],
  ['Array.of', (args) => args.map(storable)],
  ['Array.from', ([value]) => (Array.isArray(value) ? value : [])],
  ['String', ([value]) => asText(value)],
  ['Number', ([value]) => Number(asText(value))],
  ['Boolean', ([value]) => value !== UNKNOWN && Boolean(value)],
  ['BigInt', ([value]) => asText(value)],
  ['Date', ([value]) => dateText(value)],
  ['URL', ([value]) => asText(value)],
  ['Map', ([entries]) => fromEntries(entries)],
  ['Set', ([values]) => (Array.isArray(values) ? values : [])],
])

export function isKnownName(name: string): boolean {
  return KNOWN.has(name)
}

/** The result of a native function whose outcome depends on nothing but its arguments. */
export function callKnown(name: string, args: readonly unknown[]): unknown {
  return KNOWN.get(name)?.(args) ?? UNKNOWN
}

/** The few methods of values that state scripts use. */
export function callMethod(target: unknown, method: string, args: readonly unknown[]): unknown {
  if (Array.isArray(target)) {
    if (method === 'push') {
      for (const value of args) target.push(storable(value))
      return target.length
    }
    if (method === 'concat')
      return [
        ...target,
        ...args.flatMap((value) => (Array.isArray(value) ? value : [storable(value)])),
      ]
    if (method === 'join')
      return target
        .map(asText)
        .join(args.length === 0 ? ',' : asText(args[0]))
        .slice(0, MAX_TEXT)
  }
  if (typeof target === 'string') {
    if (method === 'split' && typeof args[0] === 'string') return target.split(args[0], MAX_ARRAY)
    if (method === 'trim') return target.trim()
    if (method === 'toString') return target
    if (method === 'replace' || method === 'replaceAll') return replaceText(target, args)
  }
  return UNKNOWN
}

export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function replaceText(target: string, args: readonly unknown[]): unknown {
  const [from, to] = args
  return typeof from === 'string' &&
    typeof to === 'string' &&
    from !== '' &&
    to.length <= from.length * 4
    ? target.replace(from, () => to)
    : UNKNOWN
}

function attempt(work: () => unknown): unknown {
  try {
    return work()
  } catch {
    return UNKNOWN
  }
}

function assign(args: readonly unknown[]): unknown {
  const [target, ...sources] = args
  const object: JsonObject = isPlainObject(target) ? target : {}
  for (const source of sources) {
    if (isPlainObject(source))
      for (const [key, value] of Object.entries(source)) setProperty(object, key, value)
  }
  return object
}

function fromEntries(entries: unknown): JsonObject {
  const object: JsonObject = {}
  if (Array.isArray(entries)) {
    for (const entry of entries)
      if (Array.isArray(entry)) setProperty(object, asText(entry[0]), entry[1])
  }
  return object
}

function list(args: readonly unknown[]): unknown[] {
  const [length] = args
  if (args.length === 1 && typeof length === 'number') {
    return Array.from(
      { length: Math.max(0, Math.min(MAX_ARRAY, Math.floor(length) || 0)) },
      () => null,
    )
  }
  return args.map(storable)
}

function dateText(value: unknown): unknown {
  const date = typeof value === 'number' || typeof value === 'string' ? new Date(value) : null
  return date === null || Number.isNaN(date.getTime()) ? UNKNOWN : date.toISOString()
}
