// What a source event means for the source's job: pure decisions, applied elsewhere in one transaction.

export interface SourceFacts {
  id: string
  name: string
  url: string
  enabled: boolean
}

export interface JobFacts {
  status: string
  sourceName: string
  url: string
}

export type Decision =
  /** A first run that was asked for; without one the planner finds a place. */
  | { action: 'create'; firstRunAt?: Date }
  | { action: 'reschedule'; fields: string[] }
  | { action: 'rename' }
  | { action: 'pause'; reason: string }
  | { action: 'resume' }
  | { action: 'delete' }
  | {
      action: 'none'
      why:
        | 'source_disabled'
        | 'source_unknown'
        | 'no_job'
        | 'nothing_to_change'
        | 'already_paused'
        | 'already_active'
    }

/** Changes of these fields move the schedule; a change of any other only touches the job's labels. */
const scheduleFields = new Set([
  'rate_limit',
  'max_depth',
  'priority',
  'crawl_window_start',
  'crawl_window_end',
  'crawl_window_days',
  'group_id',
])

/** How the reason of a pause begins when the source caused it, and not a person. */
export const pausedBySource = 'source disabled'

export interface EventFacts {
  type: string
  payload: Record<string, unknown>
}

export function decide(
  event: EventFacts,
  source: SourceFacts | null,
  job: JobFacts | null,
): Decision {
  switch (event.type) {
    case 'SOURCE_CREATED':
      return onCreated(event.payload, source, job)
    case 'SOURCE_UPDATED':
      return onUpdated(event.payload, source, job)
    case 'SOURCE_ENABLED':
      return onEnabled(source, job)
    case 'SOURCE_DISABLED':
      return onDisabled(event.payload, job)
    case 'SOURCE_DELETED':
      return job === null ? { action: 'none', why: 'no_job' } : { action: 'delete' }
    default:
      return { action: 'none', why: 'nothing_to_change' }
  }
}

/** As it was created: should it be disabled by now, that event comes after this one. */
function onCreated(
  payload: Record<string, unknown>,
  source: SourceFacts | null,
  job: JobFacts | null,
): Decision {
  if (source === null) return { action: 'none', why: 'source_unknown' }
  if (job !== null) return { action: 'none', why: 'nothing_to_change' }
  if (payload['enabled'] !== true) return { action: 'none', why: 'source_disabled' }
  const asked = new Date(String(payload['first_run_at']))
  return Number.isNaN(asked.getTime())
    ? { action: 'create' }
    : { action: 'create', firstRunAt: asked }
}

function onUpdated(
  payload: Record<string, unknown>,
  source: SourceFacts | null,
  job: JobFacts | null,
): Decision {
  if (source === null) return { action: 'none', why: 'source_unknown' }
  if (job === null)
    return source.enabled ? { action: 'create' } : { action: 'none', why: 'source_disabled' }
  const changed = Array.isArray(payload['changed_fields'])
    ? payload['changed_fields'].map(String)
    : []
  // Other programs may switch a source on or off by an update.
  if (changed.includes('enabled'))
    return source.enabled ? onEnabled(source, job) : onDisabled({}, job)
  const moving = changed.filter((field) => scheduleFields.has(field))
  if (moving.length > 0) return { action: 'reschedule', fields: moving }
  const renamed = job.sourceName !== source.name || job.url !== source.url
  return renamed ? { action: 'rename' } : { action: 'none', why: 'nothing_to_change' }
}

function onEnabled(source: SourceFacts | null, job: JobFacts | null): Decision {
  if (source === null) return { action: 'none', why: 'source_unknown' }
  if (job === null) return { action: 'create' }
  const active = ['pending', 'scheduled', 'running'].includes(job.status)
  return active ? { action: 'none', why: 'already_active' } : { action: 'resume' }
}

function onDisabled(payload: Record<string, unknown>, job: JobFacts | null): Decision {
  if (job === null) return { action: 'none', why: 'no_job' }
  if (job.status === 'paused') return { action: 'none', why: 'already_paused' }
  const reason = payload['reason']
  return {
    action: 'pause',
    reason: typeof reason === 'string' ? `${pausedBySource}: ${reason}` : pausedBySource,
  }
}
