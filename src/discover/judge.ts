/** What is known about an address that a search gave. */
export interface Evidence {
  url: string
  title: string
  snippet: string
  place: string
  /** How far a crawl would get: only what was read can speak for itself. */
  reading: 'read' | 'refused' | 'blocked' | 'failed'
  events: number
  /** Those that have not begun yet. */
  upcoming: number
  articles: number
  calendarFeeds: number
}

export type Sign =
  | 'events_found'
  | 'many_events_found'
  | 'upcoming_events'
  | 'calendar_feed'
  | 'agenda_address'
  | 'agenda_title'
  | 'names_the_place'
  | 'only_articles'
  | 'nothing_found'
  | 'not_read'

export interface Judgement {
  /** 0 to 1: how likely this is an agenda worth crawling. */
  confidence: number
  reasons: Sign[]
  needsReview: boolean
}

const weights: Record<Sign, number> = {
  events_found: 0.3,
  many_events_found: 0.15,
  upcoming_events: 0.15,
  calendar_feed: 0.2,
  agenda_address: 0.15,
  agenda_title: 0.1,
  names_the_place: 0.1,
  only_articles: -0.15,
  nothing_found: -0.1,
  not_read: 0,
}
const base = 0.15
/** A page nobody could read is a guess, however well its address sounds. */
const mostUnread = 0.35
const many = 5
const agendaWords =
  /agenda|evenement|programma|activiteit|uitgaan|wat te doen|kalender|events?\b|calendar|what.?s on|veranstaltung|termine|konzert|concert|theat|festival|spectacle/i

/** By rules a person can follow: dates and events on the page first, words second. */
export function judge(evidence: Evidence): Judgement {
  const reasons = signsOf(evidence)
  const sum = reasons.reduce((total, sign) => total + weights[sign], base)
  const unread = evidence.reading !== 'read'
  const most = unread ? mostUnread : 1
  const confidence = Math.round(Math.min(most, Math.max(0, sum)) * 100) / 100
  return { confidence, reasons, needsReview: unread }
}

function signsOf(evidence: Evidence): Sign[] {
  const { reading, events, upcoming, articles, calendarFeeds, place, title, snippet } = evidence
  const path = new URL(evidence.url).pathname
  const signs: [boolean, Sign][] = [
    [reading !== 'read', 'not_read'],
    [events > 0, 'events_found'],
    [events >= many, 'many_events_found'],
    [upcoming > 0, 'upcoming_events'],
    [calendarFeeds > 0, 'calendar_feed'],
    [agendaWords.test(path), 'agenda_address'],
    [agendaWords.test(title), 'agenda_title'],
    [`${title} ${snippet}`.toLowerCase().includes(place.toLowerCase()), 'names_the_place'],
    [reading === 'read' && events === 0 && articles > 0, 'only_articles'],
    [reading === 'read' && events === 0 && articles === 0 && calendarFeeds === 0, 'nothing_found'],
  ]
  return signs.filter(([present]) => present).map(([, sign]) => sign)
}
