export { parseRobots, type Robots } from './parse.ts'
export { crawlDelay, isAllowed } from './match.ts'
export { parseRobotsDirectives, type RobotsDirectives } from './directives.ts'
