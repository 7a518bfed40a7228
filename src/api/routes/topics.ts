import { z } from 'zod'
import { transaction } from '../../db/pool.ts'
import { previewRule, type RulePreview } from '../../flows/publish/preview.ts'
import { modelVersionOf } from '../../publish/classify/classify.ts'
import {
  deleteRule,
  findRule,
  insertRule,
  listRules,
  replaceRule,
  type RuleFields,
  type StoredRule,
} from '../../publish/classify/rules-store.ts'
import { raiseVersion } from '../../publish/versions.ts'
import type { Api, ApiContext } from '../context.ts'
import { notFound, problem } from '../problem.ts'

const tags = ['topics']
const operator = { role: 'operator' as const }
const byId = z.object({ id: z.uuid() })
const fields = {
  name: z.string().trim().min(1).max(200),
  topic: z.string().trim().min(1).max(200),
  keywords: z
    .array(
      z.strictObject({
        term: z
          .string()
          .trim()
          .max(200)
          .regex(/[\p{L}\p{N}]/u, 'needs a letter or a digit'),
        weight: z.number().min(-10).max(10).default(1),
      }),
    )
    .min(1)
    .max(2000),
  priority: z.number().int().min(-1000).max(1000),
  min_confidence: z.number().min(0).max(1),
  languages: z.array(z.string().min(2).max(10)).max(100),
  enabled: z.boolean(),
}
const ruleBody = z.strictObject({
  ...fields,
  priority: fields.priority.default(0),
  min_confidence: fields.min_confidence.default(0.5),
  languages: fields.languages.default([]),
  enabled: fields.enabled.default(true),
})
const ruleShape = z.object({
  id: z.string(),
  ...fields,
  version: z.number(),
  created_at: z.date(),
  updated_at: z.date(),
})
const previewShape = z.object({
  model_version: z.string(),
  examined: z.number(),
  matched: z.number(),
  changed: z.number(),
  examples: z.array(
    z.object({
      item_id: z.string(),
      title: z.string(),
      before: z.array(z.string()),
      after: z.array(z.string()),
    }),
  ),
})
const saved = ruleShape.extend({ preview: previewShape })
/** As many recent items show what a rule does. */
const previewItems = 500

/** The rules topics come from. Saving one tells what it changes among recent items. */
export function topicRoutes(api: Api, { sql, clock }: ApiContext): void {
  api.get(
    '/api/v1/topics',
    {
      schema: {
        summary: 'The topic rules and the version of the set',
        tags,
        response: {
          200: z.object({
            data: z.array(ruleShape),
            total: z.number(),
            model_version: z.string(),
          }),
        },
      },
    },
    async () => {
      const rules = await listRules(sql)
      return {
        data: rules.map(describe),
        total: rules.length,
        model_version: modelVersionOf(rules),
      }
    },
  )

  api.get(
    '/api/v1/topics/:id',
    { schema: { summary: 'One topic rule', tags, params: byId, response: { 200: ruleShape } } },
    async ({ params }) => describe(await existing(params.id)),
  )

  api.post(
    '/api/v1/topics/preview',
    {
      schema: {
        summary: 'What would change among recent items if this rule were saved',
        tags,
        body: z.strictObject({
          rule: ruleBody,
          replaces: z.uuid().nullable().default(null),
          recent: z.number().int().min(1).max(5000).default(previewItems),
        }),
        response: { 200: previewShape },
      },
    },
    async ({ body }) =>
      toPreview(await previewRule(sql, toFields(body.rule), body.replaces, body.recent)),
  )

  api.post(
    '/api/v1/topics',
    {
      config: operator,
      schema: {
        summary: 'Add a topic rule; the answer shows what changes among recent items',
        tags,
        body: ruleBody,
        response: { 201: saved },
      },
    },
    async ({ body }, reply) => {
      const rule = toFields(body)
      const preview = await previewRule(sql, rule, null, previewItems)
      const stored = await transaction(sql, async (tx) => {
        await raiseVersion(tx, 'rules')
        return insertRule(tx, rule, clock.now())
      })
      if (stored === null) throw nameTaken(rule.name)
      return reply.code(201).send({ ...describe(stored), preview: toPreview(preview) })
    },
  )

  api.patch(
    '/api/v1/topics/:id',
    {
      config: operator,
      schema: {
        summary: 'Change a topic rule; the answer shows what changes among recent items',
        tags,
        params: byId,
        body: z.strictObject(fields).partial(),
        response: { 200: saved },
      },
    },
    async ({ params, body }) => {
      const before = await existing(params.id)
      const rule: RuleFields = {
        name: body.name ?? before.name,
        topic: body.topic ?? before.topic,
        keywords: body.keywords ?? before.keywords,
        priority: body.priority ?? before.priority,
        minConfidence: body.min_confidence ?? before.minConfidence,
        languages: body.languages ?? before.languages,
        enabled: body.enabled ?? before.enabled,
      }
      const namesake = (await listRules(sql)).find(
        (one) => one.name.toLowerCase() === rule.name.toLowerCase(),
      )
      if (namesake !== undefined && namesake.id !== before.id) throw nameTaken(rule.name)
      const preview = await previewRule(sql, rule, before.id, previewItems)
      const stored = await transaction(sql, async (tx) => {
        await raiseVersion(tx, 'rules')
        return replaceRule(tx, before.id, rule, clock.now())
      })
      if (stored === null) throw notFound('topic rule', params.id)
      return { ...describe(stored), preview: toPreview(preview) }
    },
  )

  api.delete(
    '/api/v1/topics/:id',
    {
      config: operator,
      schema: {
        summary: 'Delete a topic rule; items keep the topic until they are classified again',
        tags,
        params: byId,
        response: { 204: z.null() },
      },
    },
    async ({ params }, reply) => {
      const deleted = await transaction(sql, async (tx) => {
        await raiseVersion(tx, 'rules')
        return deleteRule(tx, params.id)
      })
      if (!deleted) throw notFound('topic rule', params.id)
      return reply.code(204).send(null)
    },
  )

  async function existing(id: string): Promise<StoredRule> {
    const rule = await findRule(sql, id)
    if (rule === null) throw notFound('topic rule', id)
    return rule
  }
}

function nameTaken(taken: string) {
  return problem(409, 'Name taken', `There is already a topic rule "${taken}".`)
}

function toFields({
  min_confidence: minConfidence,
  ...body
}: z.infer<typeof ruleBody>): RuleFields {
  return { ...body, minConfidence }
}

function toPreview({ modelVersion, examples, ...rest }: RulePreview): z.infer<typeof previewShape> {
  return {
    ...rest,
    model_version: modelVersion,
    examples: examples.map(({ itemId, ...example }) => ({ item_id: itemId, ...example })),
  }
}

function describe(rule: StoredRule): z.infer<typeof ruleShape> {
  return {
    id: rule.id,
    name: rule.name,
    topic: rule.topic,
    keywords: rule.keywords,
    priority: rule.priority,
    min_confidence: rule.minConfidence,
    languages: rule.languages,
    enabled: rule.enabled,
    version: rule.version,
    created_at: rule.createdAt,
    updated_at: rule.updatedAt,
  }
}
