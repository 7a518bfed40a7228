import type { SiteDefinition } from '../types.ts'
import { dutchNews } from './dutch-news.ts'
import { englishNews } from './english-news.ts'
import { wordpressAgenda } from './wordpress-agenda.ts'

// The order gives each site its port and its share of the ideas: add new ones at the end.
export const definitions: readonly SiteDefinition[] = [dutchNews, englishNews, wordpressAgenda]
