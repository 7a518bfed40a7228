import type { ItemKind } from '../types.ts'
import type { Thing } from './thing.ts'

// schema.org names every subtype of Event with this ending, but for these few.
const EVENT =
  /^(?:[A-Z]\w*)?(?:Event|Festival)$|^(?:EventSeries|Hackathon|CourseInstance|Conference)$/
const NOT_EVENT = new Set(['DeliveryEvent', 'OnDemandEvent'])
const ARTICLE =
  /^(?:[A-Z]\w*)?(?:Article|BlogPosting)$|^(?:Report|SocialMediaPosting|DiscussionForumPosting)$/

/** Which kind of item a thing describes, if any. */
export function kindOf(thing: Thing): ItemKind | null {
  if (thing.types.some((type) => EVENT.test(type) && !NOT_EVENT.has(type))) return 'calendar_event'
  if (thing.types.some((type) => ARTICLE.test(type))) return 'article'
  return null
}
