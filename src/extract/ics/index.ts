// Calendar files (RFC 5545): read with tolerance, expand with limits, turn into raw items.
export { expandIcs } from './expand.ts'
export { icsItems } from './items.ts'
export { parseIcs } from './parse.ts'
export type { IcsCalendar, IcsEvent, IcsLimits, IcsOccurrence } from './types.ts'
