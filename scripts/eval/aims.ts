export interface Aim {
  set: string
  aim: number
  /** A second figure of the set, found in what the scorer prints. */
  part?: { name: string; pattern: RegExp }
}

/**
 * The aims of ../shared/eval/README.md, which are set for the half we do not have. On ours, one robots-meta case of 190
 * expects the sitemap behind a byte order mark to be lost; we read it, as Google's parser does, so 0.9974 is the most.
 */
export const aims: readonly Aim[] = [
  { set: 'article-aeb', aim: 0.955 },
  { set: 'article-seg', aim: 0.935 },
  {
    set: 'article-seg',
    aim: 0.85,
    part: { name: 'publication date', pattern: /publication date right ([\d.]+)/ },
  },
  { set: 'article-wcxb', aim: 0.86 },
  { set: 'robots', aim: 0.998 },
  { set: 'robots-meta', aim: 0.997 },
  { set: 'feeds', aim: 0.98 },
  { set: 'ics', aim: 0.985 },
  { set: 'ics-expand', aim: 0.98 },
  { set: 'events-ld', aim: 0.98 },
  { set: 'events-dom', aim: 0.65 },
  { set: 'hydration', aim: 0.98 },
  { set: 'dates', aim: 0.95 },
  { set: 'dates-casual', aim: 0.55 },
  { set: 'sitemaps', aim: 0.99 },
  { set: 'url-same', aim: 0.98 },
  { set: 'url-resolve', aim: 0.986 },
  { set: 'charset-sniff', aim: 0.97 },
  { set: 'charset-detect', aim: 0.97 },
]
