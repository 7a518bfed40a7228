import { z } from 'zod'
import { transaction } from '../../db/pool.ts'
import {
  getCluster,
  kindsOf,
  listClusters,
  membersOf,
  pinCanonical,
} from '../../items/dedup/cluster-list.ts'
import { forgetSeparations, joinClusters, separate } from '../../items/dedup/clusters.ts'
import type { Api, ApiContext } from '../context.ts'
import { pageQuery, pageShape } from '../paging.ts'
import { notFound, problem } from '../problem.ts'
import { idParams } from './item-query.ts'

const tags = ['clusters']
const clusterRow = z.looseObject({
  id: z.string(),
  kind: z.string(),
  canonical_id: z.string(),
  size: z.number(),
})
const memberRow = z.looseObject({ item_id: z.string(), title: z.string(), score: z.number() })
const clusterDetail = clusterRow.extend({ members: z.array(memberRow) })

export function clusterRoutes(api: Api, { sql, clock }: ApiContext): void {
  const detail = async (id: string): Promise<z.infer<typeof clusterDetail>> => {
    const cluster = await getCluster(sql, id)
    if (cluster === null) throw notFound('cluster', id)
    return { ...cluster, members: (await membersOf(sql, id)).map((member) => ({ ...member })) }
  }

  api.get(
    '/api/v1/clusters',
    {
      schema: {
        summary: 'Items that are told by several sources',
        tags,
        querystring: pageQuery.extend({ kind: z.enum(['article', 'calendar_event']).optional() }),
        response: { 200: pageShape(clusterRow) },
      },
    },
    async (request) => {
      const { limit, offset, kind } = request.query
      const { rows, total } = await listClusters(sql, { kind }, { limit, offset })
      return { data: rows.map((row) => ({ ...row })), total, limit, offset }
    },
  )

  api.get(
    '/api/v1/clusters/:id',
    {
      schema: {
        summary: 'One cluster with the evidence for each member',
        tags,
        params: idParams,
        response: { 200: clusterDetail },
      },
    },
    (request) => detail(request.params.id),
  )

  api.post(
    '/api/v1/clusters/merge',
    {
      config: { role: 'operator' },
      schema: {
        summary: 'Say that items are the same; later runs keep to it',
        tags,
        body: z.object({ item_ids: z.array(z.uuid()).min(2).max(100) }),
        response: { 200: clusterDetail },
      },
    },
    async (request) => {
      const ids = [...new Set(request.body.item_ids)]
      const kinds = await kindsOf(sql, ids)
      const unknown = ids.find((id) => !kinds.has(id))
      if (unknown !== undefined) throw notFound('item', unknown)
      const [kind, ...others] = new Set(kinds.values())
      if (kind === undefined || others.length > 0)
        throw problem(422, 'Different kinds', 'An article and a calendar event cannot be the same.')
      const now = clock.now()
      const [first = '', ...rest] = ids
      const [clusterId] = await transaction(sql, async (tx) => {
        await forgetSeparations(tx, ids)
        const matches = rest.map((id) => ({
          a: first,
          b: id,
          score: 1,
          evidence: { by: request.caller?.name ?? 'operator' },
        }))
        return joinClusters(tx, kind, matches, now, { manual: true })
      })
      if (clusterId === undefined)
        throw problem(409, 'Already together', 'These items are in one cluster already.')
      return detail(clusterId)
    },
  )

  api.post(
    '/api/v1/clusters/:id/unmerge',
    {
      config: { role: 'operator' },
      schema: {
        summary: 'Take an item out; it never meets the others again',
        tags,
        params: idParams,
        body: z.object({ item_id: z.uuid() }),
        response: { 200: z.object({ separated: z.string() }) },
      },
    },
    async (request) => {
      const { id } = request.params
      const by = request.caller?.name ?? null
      const done = await transaction(sql, (tx) =>
        separate(tx, id, request.body.item_id, by, clock.now()),
      )
      if (!done) throw notFound(`item in cluster ${id}`, request.body.item_id)
      return { separated: request.body.item_id }
    },
  )

  api.post(
    '/api/v1/clusters/:id/canonical',
    {
      config: { role: 'operator' },
      schema: {
        summary: 'Choose the member that is shown',
        tags,
        params: idParams,
        body: z.object({ item_id: z.uuid() }),
        response: { 200: clusterDetail },
      },
    },
    async (request) => {
      const { id } = request.params
      if (!(await pinCanonical(sql, id, request.body.item_id, clock.now())))
        throw notFound(`item in cluster ${id}`, request.body.item_id)
      return detail(id)
    },
  )
}
