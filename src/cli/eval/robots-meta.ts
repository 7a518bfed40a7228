import { crawlDelay, parseRobots } from '../../crawl/robots/index.ts'

export function answer(input: Record<string, unknown>): Record<string, unknown> {
  const robots = parseRobots(String(input['robots']))
  return {
    sitemaps: robots.sitemaps,
    crawlDelay: crawlDelay(robots, String(input['userAgent'])),
  }
}
