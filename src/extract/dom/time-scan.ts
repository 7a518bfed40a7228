export interface TimeMention {
  /** `HH:MM`. */
  start: string
  end: string | null
  index: number
  length: number
}

const MERIDIEM = String.raw`[ap]\.?\s?m\b\.?`
const CLOCK = String.raw`\d{1,2}(?::\d{2}(?::\d{2})?|[.uUh]\d{2})?`
const UNIT = String.raw`uur|uhr|heures|hrs?|u|h`
const ONE = String.raw`(${CLOCK})\s?(${MERIDIEM}|(?:${UNIT})(?![\p{L}\p{N}]))?`
const SPAN = new RegExp(
  String.raw`(?<![\p{L}\p{N}:.,/$€-])(?:${ONE}\s*(?:-|–|—|to|tot|t/m|until|till|bis|à|\/)\s*(?:${ONE}|(noon|midnight))|${ONE}|(noon|midnight|12 noon)(?![\p{L}]))(?![\p{N}%]|[:.,]\d|\/\d)`,
  'giu',
)

const LIKELY = /\d\s?(?:[:.uh]\d\d|[ap]\.?\s?m|u|h)|noon|midnight/i

/** Clock times in a text, in order: "7:00-9:00 p.m.", "20.30 uur", "19u30", "noon". */
export function findTimes(text: string): TimeMention[] {
  if (!LIKELY.test(text)) return []
  const found: TimeMention[] = []
  for (const match of text.slice(0, 3000).matchAll(SPAN)) {
    const [, a, aUnit, b, bUnit, bWord, single, singleUnit, word] = match
    const index = match.index
    const length = match[0].length
    if (word !== undefined) {
      found.push({ start: /midnight/i.test(word) ? '00:00' : '12:00', end: null, index, length })
    } else if (single !== undefined) {
      const start = clock(single, singleUnit, undefined)
      if (start !== null) found.push({ start, end: null, index, length })
    } else if (a !== undefined) {
      const end = bWord === undefined ? clock(b ?? '', bUnit, aUnit) : wordClock(bWord)
      const start = clock(a, aUnit, bUnit ?? (bWord === undefined ? undefined : 'am'))
      if (start !== null && (end !== null || isClock(a, aUnit)))
        found.push({ start: notAfter(start, end, aUnit, bUnit), end, index, length })
    }
  }
  return found
}

function wordClock(word: string): string {
  return /midnight/i.test(word) ? '00:00' : '12:00'
}

function isClock(value: string, unit: string | undefined): boolean {
  return unit !== undefined || value.includes(':')
}

// A bare number is a time only beside a unit; "20.30" and "8.15" need one too, being decimals elsewhere.
function clock(
  value: string,
  unit: string | undefined,
  otherUnit: string | undefined,
): string | null {
  const parts = value.split(/[:.uh]/i)
  const withColon = value.includes(':') || /[uh]/i.test(value)
  if (!withColon && unit === undefined && otherUnit === undefined) return null
  let hour = Number(parts[0])
  const minute = Number(parts[1] ?? 0)
  const meridiem = meridiemOf(unit) ?? (hour <= 12 ? meridiemOf(otherUnit) : null)
  if (hour > 24 || minute > 59 || (meridiem !== null && hour > 12)) return null
  if (meridiem === 'p' && hour < 12) hour += 12
  if (meridiem === 'a' && hour === 12) hour = 0
  return `${String(hour % 24).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

function meridiemOf(unit: string | undefined): 'a' | 'p' | null {
  const first = unit?.[0]?.toLowerCase()
  return unit !== undefined && /m\.?$/i.test(unit) && (first === 'a' || first === 'p')
    ? first
    : null
}

// "10 - 2 pm" begins in the morning: the shared "pm" belongs to the end only.
function notAfter(
  start: string,
  end: string | null,
  ownUnit: string | undefined,
  endUnit: string | undefined,
): string {
  if (end === null || ownUnit !== undefined || start <= end) return start
  if (meridiemOf(endUnit) === null) return start
  const hour = Number(start.slice(0, 2))
  return hour >= 12 ? `${String(hour - 12).padStart(2, '0')}${start.slice(2)}` : start
}
