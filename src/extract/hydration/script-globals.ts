import { parseTolerantJson } from '../json-ld/tolerant-json.ts'
import type { ScriptTag } from '../scan.ts'
import { createEvaluator, type Evaluator } from './evaluate.ts'
import { readFlight } from './flight.ts'
import { frameworkOf, isObject, type HydrationState } from './state.ts'
import { readTurboStream } from './turbo-stream.ts'

const MAX_SCRIPT = 5_000_000
const MAX_TOTAL = 10_000_000
const MIN_STATE = 40
const MIN_OBJECT = 12
// Whatever leaves state behind assigns, pushes, parses or passes on an object.
const MAY_HOLD_STATE = /[=(,]\s*(?:[{[]|JSON\.parse|\(?function|\(\s*\(|["'`]\s*(?:[{[]|%7B|eyJ))/
const ASSIGNMENT =
  /(?:^|[\s;,(}])(?:(?:window|self|globalThis)\s*(?:\.\s*|\[\s*["']))?([\w$][\w$.]{1,80})(?:["']\s*\])?\s{0,20}=\s{0,20}(?=[{[])/g
const PLAIN_ASSIGNMENT =
  /^\s*(?:(?:window|self|globalThis)\s*(?:\.\s*|\[\s*["']))?([A-Za-z_$][\w$]{1,80})(?:["']\s*\])?\s{0,20}=\s{0,20}(?=[{[])/

/** State in global variables, queues and calls of inline scripts. */
export function readScriptGlobals(scripts: readonly ScriptTag[]): HydrationState[] {
  const evaluator = createEvaluator()
  let left = MAX_TOTAL
  for (const { text } of scripts) {
    if (text.length > MAX_SCRIPT || text.length > left || text.length < MIN_STATE) continue
    if (!MAY_HOLD_STATE.test(text)) continue
    left -= text.length
    const source = unwrapCode(text)
    if (readPlainAssignment(source, evaluator)) continue
    if (!evaluator.run(source)) readAssignments(source, evaluator)
  }
  return [
    ...Object.entries(evaluator.globals).flatMap(([name, value]) => stateOf(name, value)),
    ...callStates(evaluator),
  ]
}

function unwrapCode(text: string): string {
  return text
    .replace(/^\s*(?:\/\/|\/\*)?\s{0,20}<!\[CDATA\[(?:\s{0,20}\*\/)?/, '')
    .replace(/(?:\/\/|\/\*)?\s{0,20}\]\]>(?:\s{0,20}\*\/)?\s*$/, '')
}

/** `window.X = {…}` and nothing else is plain JSON most of the time, read many times faster that way. */
function readPlainAssignment(source: string, evaluator: Evaluator): boolean {
  const head = PLAIN_ASSIGNMENT.exec(source)
  const name = head?.[1]
  if (head === null || name === undefined) return false
  try {
    evaluator.globals[name] = JSON.parse(withoutEnd(source.slice(head[0].length)))
    return true
  } catch {
    return false
  }
}

function withoutEnd(text: string): string {
  let trimmed = text.trimEnd()
  while (trimmed.endsWith(';')) trimmed = trimmed.slice(0, -1).trimEnd()
  return trimmed
}

/** Broken scripts: each assigned object on its own, as far as its brackets go. */
function readAssignments(source: string, evaluator: Evaluator): void {
  let count = 0
  ASSIGNMENT.lastIndex = 0
  for (
    let match = ASSIGNMENT.exec(source);
    match !== null && count < 20;
    match = ASSIGNMENT.exec(source)
  ) {
    const name = match[1]
    const from = match.index + match[0].length
    const end = closingBracket(source, from)
    if (name === undefined || end - from < MIN_OBJECT) continue
    count++
    const value = parseTolerantJson(source.slice(from, end))[0]
    if (value !== undefined && name !== '__proto__') evaluator.globals[name] = value
    ASSIGNMENT.lastIndex = end
  }
}

function closingBracket(source: string, from: number): number {
  let depth = 0
  let quote = ''
  for (let at = from; at < source.length; at++) {
    const c = source[at] ?? ''
    if (quote !== '') {
      if (c === '\\') at++
      else if (c === quote) quote = ''
    } else if (c === '"' || c === "'" || c === '`') quote = c
    else if (c === '{' || c === '[') depth++
    else if ((c === '}' || c === ']') && --depth === 0) return at + 1
  }
  return source.length
}

function stateOf(name: string, value: unknown): HydrationState[] {
  if (name === '__next_f') return flightState(value)
  const data = typeof value === 'string' ? decodeText(value) : value
  if (typeof data !== 'object' || data === null) return []
  const framework = frameworkOf(name, 'global')
  const states: HydrationState[] = [{ framework, path: name, data }]
  const stream = isObject(data) ? data['streamController'] : undefined
  if (Array.isArray(stream)) {
    const text = stream.filter((chunk) => typeof chunk === 'string').join('')
    states.push({ framework, path: `${name}.stream`, data: readTurboStream(text) })
  }
  return states
}

function flightState(value: unknown): HydrationState[] {
  if (!Array.isArray(value)) return []
  const chunks: string[] = []
  for (const entry of value as unknown[]) {
    if (!Array.isArray(entry)) continue
    const [kind, chunk] = entry as unknown[]
    if (typeof chunk !== 'string') continue
    if (kind === 1) chunks.push(chunk)
    else if (kind === 3) chunks.push(Buffer.from(chunk, 'base64').toString('utf8'))
  }
  return [{ framework: 'next-flight', path: '__next_f', data: readFlight(chunks.join('')) }]
}

/** State stored as text: JSON, JSON in percent encoding, JSON in base64. */
function decodeText(text: string): unknown {
  try {
    if (/^\s*[{[]/.test(text)) return JSON.parse(text)
    if (/^%7B|^%5B/i.test(text)) return JSON.parse(decodeURIComponent(text))
    if (/^(?:eyJ|W3s)[\w+/=-]+$/.test(text))
      return JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
  } catch {
    return null
  }
  return null
}

function callStates({ calls }: Evaluator): HydrationState[] {
  return calls
    .filter(({ data }) => isSubstantial(data))
    .map(({ name, data }) => ({ framework: frameworkOf(name, 'call'), path: `${name}()`, data }))
}

/** Options of a widget are no state: only what nests objects is kept. */
function isSubstantial(data: unknown): boolean {
  const inner = Array.isArray(data) ? data : isObject(data) ? Object.values(data) : []
  return inner.some((value) => typeof value === 'object' && value !== null)
}
