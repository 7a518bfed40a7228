import { z } from 'zod'
import {
  decideCandidate,
  findCandidate,
  listCandidates,
  type Candidate,
} from '../../discover/candidates.ts'
import { listPlaces, planPlaces, type NewPlace, type Place } from '../../discover/places.ts'
import { restMs } from '../../flows/discover/start-discovering.ts'
import { createSources } from '../../sources/change.ts'
import { sourceInput } from '../../sources/fields.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { invalid, notFound, problem } from '../problem.ts'
import { describeSource, sourceShape } from './source-shape.ts'
import { changeOptions, idParams, refusePrivate } from './sources.ts'

const tags = ['discovery']
const operator = { role: 'operator' as const }

const placeShape = z.object({
  id: z.string(),
  name: z.string(),
  country: z.string(),
  population: z.number(),
  queries: z.array(z.string()),
  status: z.enum(['pending', 'processing', 'completed', 'failed']),
  /** Queries done so far. */
  searched: z.number(),
  found: z.number(),
  error: z.string().nullable(),
  next_attempt_at: z.date(),
  searched_at: z.date().nullable(),
})

const candidateShape = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  place: z.string().nullable(),
  query: z.string(),
  confidence: z.number(),
  reasons: z.array(z.string()),
  needs_review: z.boolean(),
  settings: z.record(z.string(), z.unknown()),
  status: z.enum(['new', 'accepted', 'rejected']),
  source_id: z.string().nullable(),
  note: z.string().nullable(),
  decided_at: z.date().nullable(),
  created_at: z.date(),
})

/** Finding new sources: where to search, what was found, and a person's word on each. */
export function discoveryRoutes(api: Api, context: ApiContext): void {
  const { sql, clock, config } = context

  api.post(
    '/api/v1/discovery/places',
    {
      config: operator,
      schema: {
        summary: 'Search for agendas of places: by name, or the largest of a country',
        tags,
        body: z.strictObject({
          country: z.string().regex(/^[A-Z]{2}$/, 'is not a country code, such as NL'),
          names: z.array(z.string().min(1).max(100)).min(1).max(100).optional(),
          largest: z.int().min(1).max(500).optional(),
          /** Search again what was searched lately. */
          again: z.boolean().default(false),
        }),
        response: { 202: z.object({ planned: z.number(), unknown: z.array(z.string()) }) },
      },
    },
    async (request, reply) => {
      if (config.searchUrl === null)
        throw problem(
          409,
          'No search service',
          'Set SEARCH_API_URL (and SEARCH_API_KEY) to a service that speaks like serper.dev, and start again.',
        )
      const { country, names, largest, again } = request.body
      if (names === undefined && largest === undefined)
        throw invalid([{ field: 'names', message: 'name places, or say how many of the largest' }])
      const { places, unknown } = await choosePlaces(country, names ?? [], largest ?? 0)
      const now = clock.now()
      const restedBefore = again ? now : new Date(now.getTime() - restMs)
      const planned = await planPlaces(sql, places, restedBefore, now)
      return reply.code(202).send({ planned, unknown })
    },
  )

  api.get(
    '/api/v1/discovery/places',
    {
      schema: {
        summary: 'Places that are, were or will be searched, the largest first',
        tags,
        querystring: pageQuery.extend({ status: placeShape.shape.status.optional() }),
        response: { 200: pageShape(placeShape) },
      },
    },
    async (request) => {
      const { status, limit, offset } = request.query
      const { rows, total } = await listPlaces(sql, status ?? null, { limit, offset })
      return { data: rows.map(describePlace), total, limit, offset }
    },
  )

  api.get(
    '/api/v1/discovery/candidates',
    {
      schema: {
        summary: 'Addresses that may become sources, the most likely first',
        tags,
        querystring: pageQuery.extend({
          status: candidateShape.shape.status.default('new'),
          min_confidence: z.coerce.number().min(0).max(1).default(0),
        }),
        response: { 200: pageShape(candidateShape) },
      },
    },
    async (request) => {
      const { status, min_confidence: minConfidence, limit, offset } = request.query
      const page = await listCandidates(sql, { status, minConfidence }, { limit, offset })
      return { data: page.rows.map(describeCandidate), total: page.total, limit, offset }
    },
  )

  api.post(
    '/api/v1/discovery/candidates/:id/accept',
    {
      config: operator,
      schema: {
        summary:
          'Make a candidate a source, with the settings that were recommended or with others',
        tags,
        params: idParams,
        body: z.record(z.string(), z.unknown()).nullish(),
        response: { 201: sourceShape },
      },
    },
    async (request, reply) => {
      const candidate = await requireNew(request.params.id)
      const fields = sourceInput.safeParse({
        ...candidate.settings,
        url: candidate.url,
        ...request.body,
      })
      if (!fields.success) {
        throw invalid(
          fields.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
        )
      }
      refusePrivate(context, fields.data.url)
      const { created, duplicates } = await createSources(
        sql,
        [fields.data],
        changeOptions(context, request),
      )
      const sourceId = created[0]?.id ?? duplicates[0]?.existingId ?? null
      await decideCandidate(
        sql,
        candidate.id,
        { status: 'accepted', sourceId, note: null },
        clock.now(),
      )
      const [source] = created
      if (source === undefined)
        throw problem(409, 'Already a source', 'This address is a source already.', {
          existing_id: sourceId,
        })
      return reply
        .code(201)
        .header('location', `/api/v1/sources/${source.id}`)
        .send(describeSource(source, null))
    },
  )

  api.post(
    '/api/v1/discovery/candidates/:id/reject',
    {
      config: operator,
      schema: {
        summary: 'Turn a candidate down; it is not offered again',
        tags,
        params: idParams,
        body: z.strictObject({ note: z.string().max(500).optional() }).nullish(),
        response: { 200: candidateShape },
      },
    },
    async (request) => {
      const candidate = await requireNew(request.params.id)
      const note = request.body?.note ?? null
      const now = clock.now()
      await decideCandidate(sql, candidate.id, { status: 'rejected', sourceId: null, note }, now)
      return describeCandidate({ ...candidate, status: 'rejected', note, decidedAt: now })
    },
  )

  async function requireNew(id: string): Promise<Candidate> {
    const candidate = await findCandidate(sql, id)
    if (candidate === null) throw notFound('candidate', id)
    if (candidate.status !== 'new')
      throw problem(409, 'Already decided', `This candidate is ${candidate.status}.`, {
        source_id: candidate.sourceId,
      })
    return candidate
  }
}

async function choosePlaces(
  country: string,
  names: readonly string[],
  largest: number,
): Promise<{ places: NewPlace[]; unknown: string[] }> {
  const { gazetteer } = await import('../../normalize/gazetteer/gazetteer.ts')
  const cities = gazetteer()
  const hints = { country, near: null, homeCountry: country }
  const named = names.map((name) => ({ name, city: cities.find(name, hints) }))
  const found = named.flatMap(({ city }) => city ?? [])
  const chosen = [...found, ...cities.citiesOf(country).slice(0, largest)]
  const byName = new Map(chosen.map((city) => [city.name, city]))
  return {
    places: [...byName.values()],
    unknown: named.filter(({ city }) => city === null).map(({ name }) => name),
  }
}

function describePlace(place: Place): z.input<typeof placeShape> {
  const { id, name, country, population, queries, status, found, error } = place
  return {
    id,
    name,
    country,
    population,
    queries,
    status,
    found,
    error,
    searched: place.checkpoint,
    next_attempt_at: place.nextAttemptAt,
    searched_at: place.searchedAt,
  }
}

function describeCandidate(candidate: Candidate): z.input<typeof candidateShape> {
  const { id, url, title, place, query, confidence, reasons, settings, status, note } = candidate
  return {
    id,
    url,
    title,
    place,
    query,
    confidence,
    reasons,
    settings,
    status,
    note,
    needs_review: candidate.needsReview,
    source_id: candidate.sourceId,
    decided_at: candidate.decidedAt,
    created_at: candidate.createdAt,
  }
}
