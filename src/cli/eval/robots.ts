import { isAllowed, parseRobots } from '../../crawl/robots/index.ts'

export function answer(input: Record<string, unknown>): Record<string, unknown> {
  const robots = parseRobots(String(input['robots']))
  return { allowed: isAllowed(robots, String(input['userAgent']), String(input['url'])) }
}
