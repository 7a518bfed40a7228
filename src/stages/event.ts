import { hash as digest } from 'node:crypto'
import { remember } from '../kernel/remember.ts'
import { normalizeUrl, urlHash } from '../kernel/url.ts'
import type { StageName } from './kinds.ts'

/** An article passed a stage. Our own flows record it in the transaction of the work itself. */
export interface StageEvent {
  /** Any spelling of the address; `itemAddress` gives one of several items on a page its own. */
  url: string
  source: StageSource
  stage: StageName
  occurredAt: Date
  serviceName: string
  metadata?: Record<string, unknown> | null
  /** The same as JSON, where the caller has it anyway. */
  metadataJson?: string | undefined
  metadataSchemaVersion?: number
  /** Without one, the same service, stage, address and time are the same event. */
  idempotencyKey?: string | null
}

export interface StageSource {
  /** Of a source of ours; other services know only a name. */
  id: string | null
  /** Empty where nobody knows it any more: then the name it was last known by stays. */
  name: string
}

/** An item that shares its page with others, such as one concert of an agenda, counted by itself. */
export function itemAddress(pageUrl: string, item: string): string {
  return `${normalizeUrl(pageUrl)?.split('#')[0] ?? pageUrl}#!item=${encodeURIComponent(item)}`
}

/** The same of an item that was only just found, and is known by its words. */
export function foundItemAddress(
  pageUrl: string,
  item: { title: string; start: string | null },
): string {
  return itemAddress(pageUrl, `${item.title}|${item.start ?? ''}`)
}

export interface Address {
  /** Normalized; as it came where it is no web address. */
  url: string
  isWeb: boolean
  hash: string
  domain: string
}

/** The events of an article come close together, and each is asked for its address several times. */
export const addressOf = remember(5000, (url: string): Address => {
  const web = normalizeUrl(url)
  const normalized = web ?? url.trim()
  const domain = /^\w+:\/\/(?:[^@/]*@)?([^/:?#]+)/.exec(normalized)?.[1] ?? ''
  return { url: normalized, isWeb: web !== null, hash: urlHash(normalized), domain }
})

/** The key of an event as the specification composes it. */
export function idempotencyKeyOf(event: StageEvent, hash: string, at: string): string {
  if (event.idempotencyKey) return event.idempotencyKey
  const model = event.metadata?.['model_version']
  const again = event.metadata?.['is_reclassification'] === true && typeof model === 'string'
  return `${event.serviceName}:${event.stage}:${hash.slice(0, 8)}:${again ? `${model}:` : ''}${at}`
}

/** Keys are unique per article and stage, so 64 bits are plenty and short prefixes of URL hashes cannot clash. */
export function keyHash(key: string): string {
  return digest('sha256', key, 'buffer').readBigInt64BE(0).toString()
}

/** Follows an article through every service without anybody passing it on: it is made from the address. */
export function traceIdOf(hash: string): string {
  return hash.slice(0, 32)
}

/** Metadata as the database takes it: it refuses NUL and halves of surrogate pairs. */
export function metadataText({ metadata, metadataJson }: StageEvent): string | null {
  if (metadata === null || metadata === undefined) return null
  const text = metadataJson ?? JSON.stringify(metadata)
  return text.includes('\\u') ? JSON.stringify(storable(metadata)) : text
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return Buffer.from(value.replaceAll('\0', '')).toString()
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [String(storable(key)), storable(inner)]),
  )
}
