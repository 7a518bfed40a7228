export interface FeedEventFields {
  start: string | null
  end: string | null
  location: string | null
  organizer: string | null
  lat: number | null
  lng: number | null
}

export interface FeedItem {
  /** Plain text. */
  title: string | null
  /** Absolute when the feed or its address gives a base. */
  link: string | null
  /** ISO, UTC. */
  date: string | null
  modified: string | null
  guid: string | null
  /** HTML or text as the feed gives it. */
  summary: string | null
  content: string | null
  author: string | null
  categories: string[]
  image: string | null
  /** Set when the item tells of something that takes place. */
  event: FeedEventFields | null
}

export interface Feed {
  format: 'rss' | 'rdf' | 'atom' | 'json'
  title: string | null
  link: string | null
  description: string | null
  language: string | null
  items: FeedItem[]
}
