import type { ContentType, ItemView } from '../types.ts'
import { foldText } from '../tokens.ts'
import { bodyOf } from './quality.ts'

export interface TypeGuess {
  contentType: ContentType
  confidence: number
}

interface Sign {
  type: ContentType
  weight: number
  seen(facts: Facts): boolean
}

interface Facts {
  item: ItemView
  title: string
  path: string
  body: string
  words: number
  lines: string[]
}

/** Evidence for each type; the type with the most wins, and its share of all evidence is the confidence. */
const signs: Sign[] = [
  { type: 'event', weight: 6, seen: ({ item }) => item.kind === 'calendar_event' },
  { type: 'event', weight: 1, seen: ({ item }) => item.startAt !== null && !item.allDay },
  { type: 'article', weight: 1.5, seen: ({ item }) => item.kind === 'article' },
  { type: 'article', weight: 1, seen: ({ item }) => item.publishedAt !== null },
  { type: 'article', weight: 1, seen: ({ item }) => item.author !== null },
  { type: 'article', weight: 1, seen: ({ item, words }) => item.kind === 'article' && words > 150 },
  {
    type: 'article',
    weight: 1,
    seen: ({ path }) => /(?:news|nieuws|artikel|article|story|blog|actueel|\/20\d\d\/)/.test(path),
  },
  { type: 'job', weight: 3, seen: ({ path }) => /(?:vacature|jobs?\b|career|stellen)/.test(path) },
  {
    type: 'job',
    weight: 3,
    seen: ({ title }) => /\b(?:vacature|gezocht|hiring|vacancy|stellenangebot)\b/.test(title),
  },
  {
    type: 'job',
    weight: 2.5,
    seen: ({ body }) =>
      /\b(?:solliciteer|sollicitatie|apply now|your application|salaris|salary|fulltime|arbeidsvoorwaarden)\b/.test(
        body,
      ) &&
      /\b(?:functie|position|role|ervaring|experience|uur per week|hours per week)\b/.test(body),
  },
  { type: 'recipe', weight: 3, seen: ({ path }) => /(?:recept|recipe|rezept)/.test(path) },
  {
    type: 'recipe',
    weight: 4,
    seen: ({ body }) =>
      /\b(?:ingredienten|ingredients|zutaten)\b/.test(body) &&
      /\b(?:bereiding|bereidingswijze|method|instructions|preparation|zubereitung|oven)\b/.test(
        body,
      ),
  },
  { type: 'review', weight: 3, seen: ({ path }) => /(?:review|recensie|kritik)/.test(path) },
  {
    type: 'review',
    weight: 3,
    seen: ({ title }) => /\b(?:review|recensie|getest|test:|kritiek)\b/.test(title),
  },
  { type: 'video', weight: 3.5, seen: ({ path }) => /\/(?:video|watch|videos)\b/.test(path) },
  { type: 'video', weight: 2, seen: ({ title }) => /^(?:video|kijk terug|watch)\b/.test(title) },
  {
    type: 'listing',
    weight: 4,
    seen: ({ lines }) => lines.length >= 12 && median(lines.map((line) => line.length)) < 60,
  },
  {
    type: 'listing',
    weight: 2,
    seen: ({ title }) => /\b(?:overzicht|agenda|programma|archief|archive|all|index)\b/.test(title),
  },
  {
    type: 'page',
    weight: 3.5,
    seen: ({ path }) =>
      /\/(?:over|about|contact|privacy|cookies|faq|colofon|disclaimer)/.test(path),
  },
  {
    type: 'page',
    weight: 2,
    seen: ({ item, words }) =>
      item.kind === 'article' && item.publishedAt === null && item.author === null && words < 150,
  },
]

export function contentTypeOf(item: ItemView): TypeGuess {
  const body = foldText(bodyOf(item).slice(0, 20_000))
  const facts: Facts = {
    item,
    title: foldText(item.title),
    path: foldText(item.url === null ? '' : (URL.parse(item.url)?.pathname ?? '')),
    body,
    words: item.wordCount,
    lines: body.split('\n').filter((line) => line.trim() !== ''),
  }
  const evidence = new Map<ContentType, number>()
  let all = 0
  for (const sign of signs) {
    if (!sign.seen(facts)) continue
    evidence.set(sign.type, (evidence.get(sign.type) ?? 0) + sign.weight)
    all += sign.weight
  }
  let best: [ContentType, number] = ['page', 0]
  for (const entry of evidence) if (entry[1] > best[1]) best = entry
  // Little evidence of one kind is no certainty either.
  const confidence = best[1] / (all + 0.5)
  return { contentType: best[0], confidence: Math.round(confidence * 100) / 100 }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}
