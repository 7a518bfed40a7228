export const jobStatuses = [
  'pending',
  'scheduled',
  'running',
  'completed',
  'failed',
  'paused',
  'cancelled',
] as const
export type JobStatus = (typeof jobStatuses)[number]

/** What people may ask for. */
export const controlActions = [
  'pause',
  'resume',
  'cancel',
  'retry',
  'force-run',
  'override',
  'delete',
] as const
export type ControlAction = (typeof controlActions)[number]

/** What the scheduler, the workers and source events do. */
export type SystemAction =
  'schedule' | 'dispatch' | 'complete' | 'fail' | 'give-up' | 'hold' | 'enable'
export type JobAction = ControlAction | SystemAction

export interface JobFacts {
  status: JobStatus
  /** Runs again by itself: it has an interval and its schedule is on. */
  recurring: boolean
}

export type Transition =
  { ok: true; status: JobStatus } | { ok: false; reason: string; allowed: ControlAction[] }

interface Rule {
  from: readonly JobStatus[]
  to: (job: JobFacts) => JobStatus
}

const anyStatus = jobStatuses
const afterRun = (job: JobFacts): JobStatus => (job.recurring ? 'scheduled' : 'completed')

/** The whole machine. The drawing in docs/state-machines.md shows the same. */
const rules: Record<JobAction, Rule> = {
  pause: { from: ['scheduled', 'running'], to: () => 'paused' },
  resume: { from: ['paused'], to: () => 'scheduled' },
  cancel: { from: ['pending', 'scheduled', 'running', 'paused'], to: () => 'cancelled' },
  retry: { from: ['failed'], to: () => 'pending' },
  'force-run': { from: ['scheduled'], to: () => 'running' },
  override: { from: anyStatus.filter((s) => s !== 'cancelled'), to: (job) => job.status },
  delete: { from: anyStatus, to: (job) => job.status },

  schedule: { from: ['pending'], to: () => 'scheduled' },
  dispatch: { from: ['pending', 'scheduled'], to: () => 'running' },
  complete: { from: ['running'], to: afterRun },
  // A recurring job heals by itself after its backoff; a one-time job has nothing to wait for.
  fail: { from: ['running'], to: (job) => (job.recurring ? 'scheduled' : 'failed') },
  'give-up': { from: ['running'], to: () => 'failed' },
  // Source events: a disabled source holds its job in any state but the final ones.
  hold: {
    from: ['pending', 'scheduled', 'running', 'failed', 'completed', 'paused'],
    to: () => 'paused',
  },
  enable: { from: ['paused', 'failed', 'completed', 'cancelled'], to: () => 'pending' },
}

/** The only place that decides whether a job may change state. */
export function transition(job: JobFacts, action: JobAction): Transition {
  const rule = rules[action]
  if (!rule.from.includes(job.status)) {
    return {
      ok: false,
      reason: `a ${job.status} job cannot ${words(action)}`,
      allowed: allowedActions(job.status),
    }
  }
  return { ok: true, status: rule.to(job) }
}

export function allowedActions(status: JobStatus): ControlAction[] {
  return controlActions.filter((action) => rules[action].from.includes(status))
}

/** The states an action starts from, for the `where` of its statement. */
export function statesBefore(action: JobAction): JobStatus[] {
  return [...rules[action].from]
}

function words(action: JobAction): string {
  const spoken: Partial<Record<JobAction, string>> = {
    'force-run': 'be run now',
    'give-up': 'be given up',
    pause: 'be paused',
    resume: 'be resumed',
    cancel: 'be cancelled',
    retry: 'be retried',
    override: 'be overridden',
    delete: 'be deleted',
  }
  return spoken[action] ?? action
}
