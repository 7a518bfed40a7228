import type { DemoEvent, Idea, Language, SiteContext, Venue } from '../types.ts'
import { followUps } from './follow-ups.ts'
import { addMinutes, dayFrom } from './local-time.ts'
import { at } from './random.ts'
import { slugify } from './slug.ts'

export interface EventPlan {
  language?: Language
  timezone?: string
  venues: readonly Venue[]
  organizer: string
  /** Start times to draw from. */
  times: readonly string[]
  /** Lengths to draw from; an empty list means the site tells no end. */
  minutes: readonly number[]
  /** Days from now of the first one, and the largest gap to the next. */
  firstDay?: number
  maxGap?: number
  idPrefix?: string
}

/** Gives ideas a date, a place and a price; in order of time, never two on one day. */
export function makeEvents(context: SiteContext, ideas: Idea[], plan: EventPlan): DemoEvent[] {
  const random = context.random.fork(`events/${plan.idPrefix ?? ''}`)
  const timezone = plan.timezone ?? 'Europe/Amsterdam'
  let day = plan.firstDay ?? 2
  return random.shuffle(ideas).map((idea, index) => {
    const start = `${dayFrom(context.now, day, timezone)}T${random.pick(plan.times)}`
    day += random.int(1, plan.maxGap ?? 4)
    const length = plan.minutes.length > 0 ? random.pick(plan.minutes) : null
    return {
      kind: 'calendar_event',
      id: `${context.key}:${plan.idPrefix ?? 'event'}-${index + 1}`,
      slug: slugify(idea.title),
      title: idea.title,
      description: describe(idea, plan.language ?? 'nl', index),
      category: idea.category,
      language: plan.language ?? 'nl',
      start,
      end: length === null ? null : addMinutes(start, length),
      timezone,
      venue: at(plan.venues, index % plan.venues.length),
      organizer: plan.organizer,
      price: random.pick(prices),
      status: 'scheduled',
      sequence: 0,
      updatedAt: new Date(context.now.getTime() - random.int(1, 20) * 86_400_000),
      sameAs: [],
    }
  })
}

function describe(idea: Idea, language: Language, index: number): string {
  const sentences = followUps[language][idea.category] ?? []
  const next = sentences[index % Math.max(1, sentences.length)]
  return next === undefined ? idea.description : `${idea.description} ${next}`
}

const prices = ['0', '5.00', '7.50', '10.00', '12.50', '15.00', '17.50', '22.50']
