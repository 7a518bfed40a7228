import type { ItemView, QualityParts } from '../types.ts'

/** 0 to 100, the sum of four parts of 0 to 25 each. */
export function qualityOf(item: ItemView): { quality: number; parts: QualityParts } {
  const parts: QualityParts = {
    length: lengthPart(item),
    metadata: metadataPart(item),
    richness: richnessPart(item),
    readability: readabilityPart(item),
  }
  return { quality: parts.length + parts.metadata + parts.richness + parts.readability, parts }
}

const most = 25
/** As many words as a full story has; an announcement needs far fewer. */
const fullWords = { article: 600, calendar_event: 120 }

function lengthPart(item: ItemView): number {
  const words = Math.max(item.wordCount, wordsIn(bodyOf(item)))
  return Math.round(most * Math.min(1, Math.sqrt(words / fullWords[item.kind])))
}

function metadataPart(item: ItemView): number {
  const known =
    item.kind === 'article'
      ? [item.title, item.publishedAt, item.author, item.description, item.section ?? item.tags[0]]
      : [item.startAt, item.endAt, item.venueName, item.address ?? item.city, item.organizer]
  return most * share(known)
}

function richnessPart(item: ItemView): number {
  const body = bodyOf(item)
  const signs = [
    item.imageUrl,
    item.tags.length >= 2,
    /\n\s*\n/.test(body.trim()),
    /\d/.test(body),
    item.kind === 'article' ? /["“”„«»]/.test(body) : item.priceText,
  ]
  return most * share(signs)
}

/** Sentences of a length people like to read, words that repeat little, and no shouting. */
function readabilityPart(item: ItemView): number {
  const body = bodyOf(item)
  const words = body.match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length < 5) return 0
  const sentences = body.split(/[.!?]+(?:\s|$)|\n\s*\n/).filter((one) => wordsIn(one) > 0).length
  const perSentence = words.length / Math.max(1, sentences)
  const fitting = 1 - Math.min(1, Math.max(0, Math.abs(perSentence - 17) - 8) / 30)
  const sample = words.slice(0, 200)
  const variety = new Set(sample.map((word) => word.toLowerCase())).size / sample.length
  const shouting = words.filter((word) => word.length > 3 && word === word.toUpperCase()).length
  const calm = 1 - Math.min(1, (shouting / words.length) * 4)
  return Math.round(most * (0.4 * fitting + 0.4 * Math.min(1, variety / 0.6) + 0.2 * calm))
}

export function bodyOf(item: ItemView): string {
  return item.text === '' ? item.description : item.text
}

function wordsIn(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
}

function share(signs: readonly unknown[]): number {
  return signs.filter((sign) => Boolean(sign)).length / signs.length
}
