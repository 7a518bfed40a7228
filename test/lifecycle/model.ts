import type { Sql } from '../../src/db/pool.ts'
import {
  createSources,
  patchSource,
  patchSources,
  removeSources,
  type ChangeOptions,
} from '../../src/sources/change.ts'
import { sourceInput, type SourcePatch } from '../../src/sources/fields.ts'
import type { Random } from './random.ts'

interface Known {
  name: string
  url: string
  notes: string
  enabled: boolean
  /** A job is made at the first enabling and stays, paused or not, until the source is deleted. */
  hasJob: boolean
  priority: 'low' | 'normal' | 'high' | 'critical' | null
  rate_limit: number | null
  max_depth: number | null
}

export interface Model {
  /** Sources that exist, with what their jobs must look like. */
  sources: Map<string, Known>
  /** Source events written so far. */
  events: number
  /** One random change of the sources, made for real and noted here. */
  step(sql: Sql, random: Random): Promise<void>
}

const priorities = ['low', 'normal', 'high', 'critical', null] as const
const options = (): ChangeOptions => ({ now: new Date(), by: 'user', autoManage: true })

/** Sources and jobs as anybody would explain them: no transport, no order, no failures. One lane of changes each. */
export function createModel(lane: number): Model {
  const sources = new Map<string, Known>()
  let made = 0

  const someFields = (random: Random): SourcePatch => ({
    ...(random.chance(0.4) && { priority: random.pick(priorities) }),
    ...(random.chance(0.4) && { rate_limit: random.pick([null, 1, 8, 15, 50]) }),
    ...(random.chance(0.4) && { max_depth: random.pick([null, 1, 4, 9]) }),
    ...(random.chance(0.3) && { notes: `note ${random.below(3)}` }),
    ...(random.chance(0.2) && { name: `Name ${random.below(5)}` }),
  })
  const note = (id: string, patch: SourcePatch): void => {
    const source = sources.get(id)
    if (source === undefined) return
    const { enabled, ...fields } = patch
    const changed = Object.entries(fields).filter(
      ([name, value]) => source[name as keyof Known] !== value,
    )
    if (changed.length > 0) model.events++
    if (enabled !== undefined && enabled !== source.enabled) model.events++
    Object.assign(source, patch)
    source.hasJob ||= source.enabled
  }
  const create = async (sql: Sql, random: Random): Promise<void> => {
    const inputs = Array.from({ length: 1 + random.below(3) }, () =>
      sourceInput.parse({
        name: `Source ${made}`,
        url: `https://s${made++}.lane${lane}.example.com`,
        enabled: random.chance(0.8),
        ...someFields(random),
      }),
    )
    const { created } = await createSources(sql, inputs, options())
    for (const { id, ...source } of created) {
      const { name, url, notes, enabled, priority, rate_limit, max_depth } = source
      const known = { name, url, notes, enabled, priority, rate_limit, max_depth }
      sources.set(id, { ...known, hasJob: enabled })
    }
    model.events += created.length
  }

  const model: Model = {
    sources,
    events: 0,
    step: async (sql, random) => {
      const ids = [...sources.keys()]
      const kind = ids.length < 10 ? 0 : random.below(100)
      const id = random.pick(ids) ?? ''
      if (kind < 15) return create(sql, random)
      if (kind < 22) {
        await removeSources(sql, [id], 'user_requested', options())
        sources.delete(id)
        model.events++
        return
      }
      const patch =
        kind < 60
          ? someFields(random)
          : kind < 90
            ? { enabled: random.chance(0.5) }
            : { ...someFields(random), enabled: random.chance(0.5) }
      if (random.chance(0.9)) {
        await patchSource(sql, id, patch, null, options())
        note(id, patch)
        return
      }
      const many = [...new Set(Array.from({ length: 12 }, () => random.pick(ids) ?? ''))]
      await patchSources(sql, many, () => patch, options())
      for (const one of many) note(one, patch)
    },
  }
  return model
}

export interface ExpectedJob {
  state: 'active' | 'paused'
  name: string
  url: string
  minutes: number
  priority: number
}

export function expectedJobs(model: Model): Map<string, ExpectedJob> {
  const jobs = new Map<string, ExpectedJob>()
  for (const [id, source] of model.sources) {
    if (!source.hasJob) continue
    const { name, url } = source
    const [base, priority] = {
      critical: [15, 100] as const,
      high: [30, 75] as const,
      normal: [60, 50] as const,
      low: [180, 25] as const,
    }[source.priority ?? 'normal']
    const rate = source.rate_limit ?? 10
    const depth = source.max_depth ?? 3
    const polite = Math.floor(base * (rate <= 5 ? 1.5 : rate <= 10 ? 1 : rate <= 20 ? 0.75 : 0.5))
    const minutes = Math.floor(polite * (depth <= 2 ? 1 : depth <= 5 ? 1.25 : 1.5))
    jobs.set(id, { state: source.enabled ? 'active' : 'paused', name, url, minutes, priority })
  }
  return jobs
}
