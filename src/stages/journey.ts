import type { Db } from '../db/pool.ts'
import { normalizeUrl, urlHash } from '../kernel/url.ts'
import { traceIdOf } from './event.ts'
import { journeyFinders, journeySources } from './journey-sources.ts'

/** `passed` goes on, `dropped` ends here by rule, `failed` by accident, `waiting` is not there yet. */
export type StepOutcome = 'discovered' | 'passed' | 'dropped' | 'failed' | 'waiting'

export interface JourneyStep {
  stage: string
  at: Date | null
  outcome: StepOutcome
  reason: string | null
  detail: string | null
  service: string | null
}

export interface Subject {
  url: string
  hash: string
  /** Where one item is meant: others may share its address. */
  itemId?: string | undefined
}

/** Everything one capability knows about an address. */
export type JourneySource = (db: Db, subject: Subject) => Promise<JourneyStep[]>

export interface Candidate {
  url: string
  title: string | null
  /** Of an item that shares its address with others. */
  item_id?: string | null
}

/** Addresses a person may mean by a title or an id. */
export type JourneyFinder = (
  db: Db,
  wanted: { title?: string; id?: string },
) => Promise<Candidate[]>

export interface Conclusion {
  code: 'published' | 'kept' | 'dropped' | 'failed' | 'under_way' | 'found' | 'waiting' | 'unknown'
  stage: string | null
  reason: string | null
}

export interface Journey {
  found: boolean
  url: string | null
  title: string | null
  url_hash: string | null
  trace_id: string | null
  verdict: string
  /** The same for programs, and for other languages. */
  conclusion: Conclusion
  steps: JourneyStep[]
  /** Other addresses the same words fit. */
  alternatives: { url: string; title: string | null }[]
}

const mostCandidates = 10

/** The whole way of one address, oldest step first: from who found it to who received it. */
export async function readJourney(
  db: Db,
  wanted: { url?: string; title?: string; id?: string },
): Promise<Journey> {
  const candidates = await findCandidates(db, wanted)
  const [chosen, ...alternatives] = candidates
  if (chosen === undefined)
    return nothing('Nothing here knows it: it was never found by any source.')
  const normalized = normalizeUrl(chosen.url) ?? chosen.url
  const subject = {
    url: normalized,
    hash: urlHash(normalized),
    itemId: chosen.item_id ?? undefined,
  }
  const known = await Promise.all(journeySources.map((source) => source(db, subject)))
  const steps = known.flat()
  steps.sort((a, b) => (a.at?.getTime() ?? Infinity) - (b.at?.getTime() ?? Infinity))
  if (steps.length === 0)
    return {
      ...nothing('Nothing here knows this address: no source has linked to it.'),
      url: normalized,
    }
  const conclusion = concludeFrom(steps)
  return {
    found: true,
    url: normalized,
    title: chosen.title ?? (await titleOf(db, normalized)),
    url_hash: subject.hash,
    trace_id: traceIdOf(subject.hash),
    verdict: inWords(conclusion),
    conclusion,
    steps,
    alternatives: alternatives.map(({ url, title }) => ({ url, title })),
  }
}

function nothing(verdictText: string): Journey {
  return {
    found: false,
    url: null,
    title: null,
    url_hash: null,
    trace_id: null,
    verdict: verdictText,
    conclusion: { code: 'unknown', stage: null, reason: null },
    steps: [],
    alternatives: [],
  }
}

async function findCandidates(
  db: Db,
  wanted: { url?: string; title?: string; id?: string },
): Promise<Candidate[]> {
  if (wanted.url !== undefined) return [{ url: wanted.url, title: null }]
  const found = new Map<string, Candidate>()
  for (const finder of journeyFinders) {
    for (const candidate of await finder(db, wanted)) {
      const url = normalizeUrl(candidate.url) ?? candidate.url
      const key = `${url} ${candidate.item_id ?? ''}`
      const isPageOfAnItem =
        !candidate.item_id && [...found.keys()].some((one) => one.startsWith(`${url} `))
      if (!found.has(key) && !isPageOfAnItem) found.set(key, candidate)
    }
  }
  return [...found.values()].slice(0, mostCandidates)
}

async function titleOf(db: Db, url: string): Promise<string | null> {
  for (const finder of journeyFinders) {
    const known = (await finder(db, { id: url })).find((candidate) => candidate.title !== null)
    if (known !== undefined) return known.title
  }
  return null
}

const stageOrder = ['crawled', 'indexed', 'classified', 'routed', 'published']

/** The answer to "why is this missing?": the furthest stage, or the last thing that stopped it. */
function concludeFrom(steps: JourneyStep[]): Conclusion {
  const done = steps.filter((step) => step.at !== null)
  const last = done.at(-1)
  if (last === undefined) return { code: 'waiting', stage: null, reason: null }
  const passed = new Set(done.filter((step) => step.outcome === 'passed').map((step) => step.stage))
  const furthest = stageOrder.findLast((stage) => passed.has(stage)) ?? null
  if (furthest === 'published') return { code: 'published', stage: furthest, reason: null }
  // Once kept, a later look that finds nothing new takes nothing away.
  if (furthest !== null && furthest !== 'crawled')
    return { code: 'kept', stage: furthest, reason: null }
  if (last.outcome === 'dropped' || last.outcome === 'failed')
    return { code: last.outcome, stage: last.stage, reason: last.reason }
  if (last.outcome === 'discovered') return { code: 'found', stage: null, reason: null }
  return { code: 'under_way', stage: last.stage, reason: null }
}

function inWords({ code, stage, reason }: Conclusion): string {
  const because = reason === null ? '' : ` (${reason})`
  const words: Record<Conclusion['code'], string> = {
    published: 'It was published.',
    kept: `It is not missing: it is kept and got as far as "${stage}".`,
    dropped: `It was dropped at "${stage}"${because}.`,
    failed: `It failed at "${stage}"${because}.`,
    under_way: `It passed "${stage}" and has not gone further.`,
    found: 'It was found and waits to be fetched.',
    waiting: 'It is known and waits for its turn.',
    unknown: '',
  }
  return words[code]
}
