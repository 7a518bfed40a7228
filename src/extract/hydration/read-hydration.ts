import { parseJsonScript } from '../json-ld/parse-script.ts'
import type { Page } from '../page.ts'
import type { ScriptTag } from '../scan.ts'
import { decodeAstroProps } from './astro.ts'
import { isDevalue, unflattenDevalue } from './devalue.ts'
import { readScriptGlobals } from './script-globals.ts'
import { frameworkOf, isObject, type HydrationState } from './state.ts'

const MIN_ATTRIBUTE = 40
const MAX_STATES = 2_000
// Consent and lazy loading tools rename the type of the scripts they hold back.
const CODE_TYPE = /^$|^module$|(?:java|ecma)script$|^text\/(?:partytown|plain)$|lazyloadscript$/

/** All application state a page carries for its own scripts, decoded, without running any of them. */
export function readHydration(
  page: Page,
  worthReading: (code: string) => boolean = () => true,
): HydrationState[] {
  const states: HydrationState[] = []
  const { scripts, jsonAttributes } = page.scan
  scripts.forEach((script, i) => {
    if (isJsonScript(script)) states.push(...readJsonScript(script, i))
  })
  states.push(
    ...readScriptGlobals(scripts.filter((script) => isCode(script) && worthReading(script.text))),
  )
  for (const { tag, name, value } of jsonAttributes) {
    if (value.length < MIN_ATTRIBUTE || states.length >= MAX_STATES) continue
    const data = tryJson(value)
    if (typeof data !== 'object' || data === null) continue
    const isIsland = tag === 'astro-island' && name === 'props'
    states.push({
      framework: frameworkOf(tag, 'attribute'),
      path: `${tag}[${name}]`,
      data: isIsland ? decodeAstroProps(data) : data,
    })
  }
  return states.slice(0, MAX_STATES)
}

function isJsonScript(script: ScriptTag): boolean {
  return (
    /json/.test(script.type) &&
    !/ld\+json|json\+ld|importmap|speculationrules/.test(script.type) &&
    script.text !== ''
  )
}

function isCode(script: ScriptTag): boolean {
  return script.text !== '' && CODE_TYPE.test(script.type)
}

function readJsonScript(script: ScriptTag, index: number): HydrationState[] {
  const name = script.id ?? scriptName(script) ?? `json[${index}]`
  return parseJsonScript(script.text).values.flatMap((value) => {
    if (typeof value !== 'object' || value === null) return []
    const data = isNuxt(name) && isDevalue(value) ? unflattenDevalue(value) : unwrapResponse(value)
    return [{ framework: frameworkOf(name, 'json'), path: name, data }]
  })
}

function isNuxt(name: string): boolean {
  return /nuxt/i.test(name)
}

/** `data-sveltekit-fetched` and the like name a script as well as an id does. */
function scriptName(script: ScriptTag): string | null {
  return (
    Object.keys(script.attrs).find(
      (name) => name.startsWith('data-') && /[a-z]{4}/.test(name.slice(5)),
    ) ?? null
  )
}

/** SvelteKit stores what its server fetched as a response whose body is JSON text. */
function unwrapResponse(value: object): unknown {
  if (!isObject(value) || typeof value['body'] !== 'string' || !('status' in value)) return value
  const body = tryJson(value['body'])
  return body === undefined ? value : body
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
