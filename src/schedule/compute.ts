export type Priority = 'low' | 'normal' | 'high' | 'critical'
export type IntervalType = 'minutes' | 'hours' | 'days'

export interface ScheduleInput {
  priority?: string | null
  /** Requests per second the source allows; nothing or 0 means the default of 10. */
  rateLimit?: number | null
  /** Link depth of the crawl; nothing or 0 counts as 1. */
  maxDepth?: number | null
  /** Failed runs in a row. */
  failureCount?: number
}

export interface ScheduleStep {
  step: 'priority' | 'rate_limit' | 'depth' | 'backoff'
  /** Missing for the base, which multiplies nothing. */
  factor?: number
  /** The interval after this step. */
  minutes: number
  why: string
}

export interface Schedule {
  intervalMinutes: number
  /** How a person would write the interval; it never changes its length. */
  intervalType: IntervalType
  /** 0 to 100, higher runs sooner. */
  priority: number
  maxConcurrent: number
  initialDelayMs: number
  chain: ScheduleStep[]
}

interface PriorityRules {
  baseMinutes: number
  number: number
  maxConcurrent: number
  initialDelayMinutes: number
}

const rules: Record<Priority, PriorityRules> = {
  critical: { baseMinutes: 15, number: 100, maxConcurrent: 3, initialDelayMinutes: 0 },
  high: { baseMinutes: 30, number: 75, maxConcurrent: 2, initialDelayMinutes: 1 },
  normal: { baseMinutes: 60, number: 50, maxConcurrent: 1, initialDelayMinutes: 5 },
  low: { baseMinutes: 180, number: 25, maxConcurrent: 1, initialDelayMinutes: 10 },
}

const defaultRateLimit = 10
const longestBackoffMinutes = 24 * 60

/** How often a source is crawled, and why: each adjustment leaves a step in the chain. */
export function computeSchedule(input: ScheduleInput): Schedule {
  const priority = asPriority(input.priority)
  const rule = rules[priority]
  const chain: ScheduleStep[] = [
    { step: 'priority', minutes: rule.baseMinutes, why: `base of priority ${priority}` },
  ]
  adjust(chain, rateLimitStep(input.rateLimit))
  adjust(chain, depthStep(input.maxDepth))
  backOff(chain, input.failureCount ?? 0)

  const intervalMinutes = lastMinutes(chain)
  return {
    intervalMinutes,
    intervalType: readableUnit(intervalMinutes),
    priority: rule.number,
    maxConcurrent: rule.maxConcurrent,
    initialDelayMs: rule.initialDelayMinutes * 60_000,
    chain,
  }
}

/** The chain in one line: "60 base, x1.25 depth 3 = 75 minutes". */
export function explainChain(chain: readonly ScheduleStep[]): string {
  const last = chain.at(-1)
  if (last === undefined) return 'no schedule'
  const parts = chain.map((step) =>
    step.factor === undefined ? `${step.minutes} ${step.why}` : `x${step.factor} ${step.why}`,
  )
  return `${parts.join(', ')} = ${last.minutes} minutes`
}

/** The wait after `failures` failed runs in a row: the interval doubled for each, at most a day. */
export function failureBackoffMinutes(intervalMinutes: number, failures: number): number {
  if (failures <= 0) return intervalMinutes
  const doubled = intervalMinutes * 2 ** Math.min(failures, 20)
  return Math.min(doubled, longestBackoffMinutes)
}

export function isPriority(word: string): word is Priority {
  return Object.hasOwn(rules, word)
}

export function readableUnit(minutes: number): IntervalType {
  return minutes >= 60 && minutes % 60 === 0 ? 'hours' : 'minutes'
}

/** People write "6 hours"; inside it is always minutes. */
export function toMinutes(amount: number, unit: IntervalType): number {
  return amount * { minutes: 1, hours: 60, days: 1440 }[unit]
}

function asPriority(word: string | null | undefined): Priority {
  return word !== null && word !== undefined && isPriority(word) ? word : 'normal'
}

interface Adjustment {
  step: ScheduleStep['step']
  factor: number
  why: string
}

function rateLimitStep(given: number | null | undefined): Adjustment {
  const limit = given !== null && given !== undefined && given > 0 ? given : defaultRateLimit
  const why = `rate limit ${limit}/s`
  if (limit <= 5) return { step: 'rate_limit', factor: 1.5, why }
  if (limit <= 10) return { step: 'rate_limit', factor: 1, why }
  if (limit <= 20) return { step: 'rate_limit', factor: 0.75, why }
  return { step: 'rate_limit', factor: 0.5, why }
}

function depthStep(given: number | null | undefined): Adjustment {
  const depth = given !== null && given !== undefined && given > 0 ? given : 1
  const why = `depth ${depth}`
  if (depth <= 2) return { step: 'depth', factor: 1, why }
  if (depth <= 5) return { step: 'depth', factor: 1.25, why }
  return { step: 'depth', factor: 1.5, why }
}

/** Whole minutes, rounded down; a step that changes nothing is not worth a line. */
function adjust(chain: ScheduleStep[], { step, factor, why }: Adjustment): void {
  if (factor === 1) return
  chain.push({ step, factor, minutes: Math.floor(lastMinutes(chain) * factor), why })
}

function backOff(chain: ScheduleStep[], failures: number): void {
  if (failures <= 0) return
  const before = lastMinutes(chain)
  const minutes = failureBackoffMinutes(before, failures)
  const times = failures === 1 ? '1 failure' : `${failures} failures in a row`
  const capped = minutes === longestBackoffMinutes ? ', at most a day' : ''
  const factor = Math.round((minutes / before) * 100) / 100
  chain.push({ step: 'backoff', factor, minutes, why: `${times}${capped}` })
}

function lastMinutes(chain: readonly ScheduleStep[]): number {
  return chain.at(-1)?.minutes ?? rules.normal.baseMinutes
}
