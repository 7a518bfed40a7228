import { z } from 'zod'
import { groupSettings } from '../../sources/fields.ts'
import {
  changeGroup,
  createGroup,
  deleteGroup,
  findGroup,
  listGroups,
} from '../../sources/groups.ts'
import type { Api, ApiContext } from '../context.ts'
import { notFound, problem } from '../problem.ts'

const groupShape = z.object({
  id: z.string(),
  name: z.string(),
  settings: z.record(z.string(), z.unknown()),
  version: z.number(),
  created_at: z.date(),
  updated_at: z.date(),
  source_count: z.number(),
})
const idParams = z.object({ id: z.uuid() })
const name = z.string().trim().min(1).max(100)
const tags = ['source groups']
const operator = { role: 'operator' as const }

export function sourceGroupRoutes(api: Api, { sql, clock }: ApiContext): void {
  api.get(
    '/api/v1/source-groups',
    {
      schema: {
        summary: 'List groups',
        tags,
        response: { 200: z.object({ data: z.array(groupShape), total: z.number() }) },
      },
    },
    async () => {
      const data = await listGroups(sql)
      return { data, total: data.length }
    },
  )

  api.get(
    '/api/v1/source-groups/:id',
    { schema: { summary: 'One group', tags, params: idParams, response: { 200: groupShape } } },
    async (request) => {
      const group = await findGroup(sql, request.params.id)
      if (group === null) throw notFound('group', request.params.id)
      return group
    },
  )

  api.post(
    '/api/v1/source-groups',
    {
      config: operator,
      schema: {
        summary: 'Add a group',
        tags,
        body: z.strictObject({ name, settings: groupSettings.default({}) }),
        response: { 201: groupShape },
      },
    },
    async (request, reply) => {
      const group = await createGroup(sql, request.body.name, request.body.settings)
      if (group === null)
        throw problem(409, 'Name taken', `There is already a group "${request.body.name}".`)
      return reply.code(201).send(group)
    },
  )

  api.patch(
    '/api/v1/source-groups/:id',
    {
      config: operator,
      schema: {
        summary: 'Change a group; its sources follow',
        tags,
        params: idParams,
        body: z.strictObject({ name: name.optional(), settings: groupSettings.optional() }),
        response: { 200: groupShape },
      },
    },
    async (request) => {
      const group = await changeGroup(sql, request.params.id, request.body, clock.now())
      if (group === null) throw notFound('group', request.params.id)
      return group
    },
  )

  api.delete(
    '/api/v1/source-groups/:id',
    {
      config: operator,
      schema: {
        summary: 'Delete a group; its sources stay',
        tags,
        params: idParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      if (!(await deleteGroup(sql, request.params.id, clock.now())))
        throw notFound('group', request.params.id)
      return reply.code(204).send(null)
    },
  )
}
