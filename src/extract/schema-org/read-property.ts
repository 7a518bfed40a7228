import { decodeHTML } from 'entities'
import { isPlain, isThing, type Thing, type ThingValue } from './thing.ts'

/** A value with the place it was read from. */
export interface Found<T> {
  value: T
  path: string
}

const NAMING = ['name', 'headline', 'title', 'legalName', 'alternateName']

/** The first of these properties that has a readable text; a thing stands for its name. */
export function textOf(thing: Thing, ...names: string[]): Found<string> | null {
  for (const name of names) {
    for (const value of thing.props.get(name) ?? []) {
      const text = readable(value)
      if (text !== '') return { value: text, path: `${thing.path}.${name}` }
    }
  }
  return null
}

export function textsOf(thing: Thing, ...names: string[]): string[] {
  return names.flatMap((name) =>
    (thing.props.get(name) ?? []).map(readable).filter((text) => text !== ''),
  )
}

export function thingsOf(thing: Thing, ...names: string[]): Thing[] {
  return names.flatMap((name) => (thing.props.get(name) ?? []).filter(isThing))
}

/** The first URL in these properties, absolute, http(s) only. */
export function urlOf(thing: Thing, baseUrl: string, ...names: string[]): Found<string> | null {
  for (const name of names) {
    for (const value of thing.props.get(name) ?? []) {
      const raw = isThing(value) ? innerUrl(value) : String(value)
      const url = raw === null ? null : webUrl(raw, baseUrl)
      if (url !== null) return { value: url, path: `${thing.path}.${name}` }
    }
  }
  return null
}

export function webUrl(raw: string, baseUrl: string): string | null {
  const text = decodeHTML(raw).trim()
  if (text === '' || text.length > 4_000 || /\s/.test(text)) return null
  try {
    const url = new URL(text, baseUrl)
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null
  } catch {
    return null
  }
}

/** Text without markup and entities, blanks collapsed. */
export function cleanText(text: string): string {
  let clean = text
  // Twice: descriptions are often escaped once more than they should be.
  for (let i = 0; i < 2 && /[<&]/.test(clean); i++) {
    clean = decodeHTML(clean.replace(/<[a-z/!][^<>]{0,5000}>/gi, ' '))
  }
  return clean.replace(/\s+/g, ' ').trim()
}

function readable(value: ThingValue): string {
  if (!isThing(value)) return cleanText(String(value))
  for (const name of NAMING) {
    const inner = value.props.get(name)?.find(isPlain)
    if (inner !== undefined) return cleanText(String(inner))
  }
  return ''
}

function innerUrl(thing: Thing): string | null {
  for (const name of ['url', 'contentUrl', '@id']) {
    const inner = thing.props.get(name)?.find(isPlain)
    if (inner !== undefined) return String(inner)
  }
  return thing.id
}
