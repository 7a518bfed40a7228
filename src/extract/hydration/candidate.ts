import type { ItemKind } from '../types.ts'
import { roleOf, type Role } from './field-roles.ts'
import { readDate, readText } from './read-value.ts'
import type { JsonObject } from './state.ts'

/** A state object that looks like an item, with the keys that made it one. */
export interface Candidate {
  kind: ItemKind
  object: JsonObject
  keys: Partial<Record<Role, string[]>>
  title: string
  /** Where its date stands. */
  dateKey: string
  score: number
}

const MAX_KEYS = 150
const EVENT_TYPE =
  /event|concert|performance|activit|voorstelling|agenda|exhibition|tentoonstelling|screening|workshop|showing|gig|session/i
const ARTICLE_TYPE = /article|post|story|news|blog|nieuws|artikel|bericht|report/i
const OTHER_TYPE =
  /image|asset|media|photo|file|product|user|author|person|comment|menu|nav|categor|tag|taxonomy|recipe|banner|widget|seo|breadcrumb|offer|review|job|place|venue|organi[sz]ation|query|cookie|config/i

/** Reads an object's keys as those of a calendar event or an article: a title and a date, and then what else is there. */
export function candidateOf(object: JsonObject): Candidate | null {
  const names = Object.keys(object)
  if (names.length < 2) return null
  const keys: Partial<Record<Role, string[]>> = {}
  for (const name of names.slice(0, MAX_KEYS)) {
    const role = roleOf(name)
    if (role !== null && object[name] !== null && object[name] !== '')
      (keys[role] ??= []).push(name)
  }
  const titleKeys = keys.title
  if (titleKeys === undefined || !(keys.start || keys.date || keys.published)) return null
  const title = firstText(object, titleKeys)
  if (title === null || title.length > 300 || /^https?:\/\//.test(title)) return null

  const startKey = dateKey(object, keys.start)
  const publishedKey = dateKey(object, keys.published)
  const plainKey = dateKey(object, keys.date)
  const type = typeText(object, keys.type)
  const kind = kindOf({ startKey, publishedKey, plainKey, type, keys })
  if (kind === null) return null
  const usedKey = kind === 'calendar_event' ? (startKey ?? plainKey) : (publishedKey ?? plainKey)
  if (usedKey === null) return null
  return {
    kind,
    object,
    keys,
    title,
    dateKey: usedKey,
    score: scoreOf(kind, keys, type, usedKey === startKey),
  }
}

interface Signs {
  startKey: string | null
  publishedKey: string | null
  plainKey: string | null
  type: string
  keys: Candidate['keys']
}

function kindOf({ startKey, publishedKey, plainKey, type, keys }: Signs): ItemKind | null {
  const isArticleType = ARTICLE_TYPE.test(type)
  if (EVENT_TYPE.test(type) && (startKey ?? plainKey) !== null) return 'calendar_event'
  if (startKey !== null && !(isArticleType && publishedKey !== null)) return 'calendar_event'
  const isPlaced = keys.location !== undefined || keys.city !== undefined
  if (plainKey !== null && isPlaced && !isArticleType) return 'calendar_event'
  const isWritten =
    (keys.author ?? keys.body ?? keys.description ?? keys.section ?? keys.url ?? keys.slug) !==
    undefined
  return (publishedKey ?? plainKey) !== null && (isWritten || isArticleType) ? 'article' : null
}

function scoreOf(kind: ItemKind, keys: Candidate['keys'], type: string, hasStart: boolean): number {
  let score = 0.5
  if (keys.url !== undefined || keys.slug !== undefined) score += 0.12
  if (keys.description !== undefined || keys.body !== undefined) score += 0.08
  if (keys.image !== undefined) score += 0.05
  if (kind === 'calendar_event') {
    if (hasStart) score += 0.1
    if (keys.location !== undefined || keys.city !== undefined) score += 0.15
    if (keys.end !== undefined) score += 0.05
    if (EVENT_TYPE.test(type)) score += 0.2
  } else {
    if (keys.author !== undefined) score += 0.08
    if (keys.body !== undefined) score += 0.05
    if (ARTICLE_TYPE.test(type)) score += 0.2
  }
  const isOther = OTHER_TYPE.test(type) && !EVENT_TYPE.test(type) && !ARTICLE_TYPE.test(type)
  return isOther ? score - 0.35 : score
}

function dateKey(object: JsonObject, names: readonly string[] | undefined): string | null {
  return names?.find((name) => readDate(object[name]) !== null) ?? null
}

function firstText(object: JsonObject, names: readonly string[]): string | null {
  for (const name of names) {
    const text = readText(object[name])
    if (text !== null && text.length > 1) return text
  }
  return null
}

function typeText(object: JsonObject, names: readonly string[] | undefined): string {
  return (names ?? [])
    .map((name) => object[name])
    .filter((value) => typeof value === 'string' && value.length < 60)
    .join(' ')
}
