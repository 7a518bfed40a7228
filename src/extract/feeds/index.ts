export { parseFeed } from './parse.ts'
export { feedItems } from './items.ts'
export type { Feed, FeedEventFields, FeedItem } from './types.ts'
