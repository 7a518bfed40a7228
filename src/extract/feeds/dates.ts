// Dates as feeds write them: RFC 822 and its misreadings, W3C date-times cut anywhere, database and C formats.

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const OTHER_MONTHS: Record<string, number> = {
  mrt: 3,
  maa: 3,
  mei: 5,
  okt: 10,
  mär: 3,
  mai: 5,
  dez: 12,
  fév: 2,
  fev: 2,
  avr: 4,
  jui: 7,
  aoû: 8,
  aou: 8,
  déc: 12,
  ene: 1,
  abr: 4,
  ago: 8,
  dic: 12,
  gen: 1,
  mag: 5,
  giu: 6,
  lug: 7,
  set: 9,
  ott: 10,
  out: 10,
  maj: 5,
}
const ZONES: Record<string, number> = {
  ut: 0,
  utc: 0,
  gmt: 0,
  z: 0,
  wet: 0,
  bst: 60,
  west: 60,
  ist: 330,
  cet: 60,
  met: 60,
  mez: 60,
  cest: 120,
  mest: 120,
  mesz: 120,
  eet: 120,
  eest: 180,
  msk: 180,
  msd: 240,
  est: -300,
  edt: -240,
  et: -300,
  cst: -360,
  cdt: -300,
  ct: -360,
  mst: -420,
  mdt: -360,
  mt: -420,
  pst: -480,
  pdt: -420,
  pt: -480,
  akst: -540,
  akdt: -480,
  hst: -600,
  jst: 540,
  kst: 540,
  hkt: 480,
  aest: 600,
  aedt: 660,
  acst: 570,
  awst: 480,
  nzst: 720,
  nzdt: 780,
  ast: -240,
  adt: -180,
  nst: -210,
  ndt: -150,
  a: -60,
  n: 60,
  m: -720,
  y: 720,
}

/** ISO in UTC, or null. A time without a zone counts as UTC. */
export function feedDate(text: string | null | undefined): string | null {
  const clean = (text ?? '').replace(/\s+/g, ' ').trim().slice(0, 100)
  if (clean === '') return null
  const time = ordinal(clean) ?? w3c(clean) ?? compact(clean) ?? wordy(clean) ?? numeric(clean)
  return time === null || Number.isNaN(time) || Math.abs(time) > 8.64e15
    ? null
    : new Date(time).toISOString()
}

interface Parts {
  year: number
  month: number
  day: number
  clock?: string | undefined
  zone?: string | undefined
}

function w3c(text: string): number | null {
  const match =
    /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:(?: ?[Tt] ?| )(\d{1,2}(?::\d{1,2}(?::\d{1,2})?)?(?:[.,]\d+)?))? ?([Zz]|[+-]\d\d:?\d{0,2}|[A-Za-z]{2,4})?$/.exec(
      text,
    )
  if (!match) return null
  const [, year, month = '1', day = '1', clock, zone] = match
  return toTime({ year: Number(year), month: Number(month), day: Number(day), clock, zone })
}

// 2003-335 and 2003335: the day of the year.
function ordinal(text: string): number | null {
  const [, year, day] = /^(\d{4})-?(\d{3})$/.exec(text) ?? []
  return year === undefined ? null : Date.UTC(Number(year), 0, Number(day))
}

function compact(text: string): number | null {
  const match = /^(\d{4})(\d\d)(\d\d)(?:[Tt ]?(\d\d)(\d\d)(\d\d)?)? ?([Zz]|[+-]\d\d:?\d\d)?$/.exec(
    text,
  )
  if (!match) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', zone] = match
  const clock = `${hour}:${minute}:${second}`
  return toTime({ year: Number(year), month: Number(month), day: Number(day), clock, zone })
}

// Any order of day, month name, year, clock and zone: "Thu, 01 Jan 04 19:48:21 GMT", "Jan 4 16:29:06 PST 2004".
function wordy(text: string): number | null {
  const clock = /(\d{1,2}:\d{1,2}(?::\d{1,2}(?:\.\d+)?)?)\s*([ap]\.?m\.?)?/i.exec(text)
  const rest = clock ? text.replace(clock[0], ' @ ') : text
  const month = [...rest.matchAll(/\p{L}{3,}/gu)].find(([word]) => monthOf(word) !== null)
  if (!month) return null
  const zone = /(?:@ *|GMT *|UTC *|\d )([+-]\d{1,2}:?\d\d)(?!\d)/i.exec(rest)?.[1] ?? zoneName(rest)
  const numbers = [...rest.replace(/[+-]\d{3,4}(?!\d)|[+-]\d\d:\d\d/g, ' ').matchAll(/\d+/g)].map(
    ([n]) => n,
  )
  const [day, year] = dayAndYear(numbers)
  if (day === null) return null
  return toTime({
    year: fullYear(year),
    month: monthOf(month[0]) ?? 1,
    day,
    clock: clock ? twentyFour(clock[1] ?? '', clock[2]) : undefined,
    zone,
  })
}

// 07/23/2004 is American, 23-07-2004 and 23.7.2004 European, unless a part above 12 says otherwise.
function numeric(text: string): number | null {
  const match =
    /^(?:\p{L}+,? )?(\d{1,4})([/.-])(\d{1,2})\2(\d{2,4})(?:,? (\d{1,2}:\d\d(?::\d\d)?) ?([ap]m)?)? ?([+-]\d{4}|[A-Z]{2,4})?$/iu.exec(
      text,
    )
  if (!match) return null
  const [, first = '', separator, second = '', third = '', time, half, zone] = match
  const clock = time === undefined ? undefined : twentyFour(time, half)
  const [a, b] = [Number(first), Number(second)]
  if (a > 31) return toTime({ year: a, month: b, day: Number(third), clock, zone })
  const dayFirst = a > 12 || (separator !== '/' && b <= 12)
  const [day, month] = dayFirst ? [a, b] : [b, a]
  return toTime({ year: fullYear(third), month, day, clock, zone })
}

function monthOf(word: string): number | null {
  const start = word.slice(0, 3).toLowerCase()
  const index = MONTHS.indexOf(start)
  if (/^(?:mardi|martes)/i.test(word)) return null
  if (index !== -1) return index + 1
  if (/^juin/i.test(word)) return 6
  return OTHER_MONTHS[start] ?? null
}

function zoneName(text: string): string | undefined {
  return [...text.matchAll(/\b[A-Z]{1,4}\b/gi)]
    .map(([word]) => word)
    .findLast((word) => word.toLowerCase() in ZONES)
}

function dayAndYear(numbers: string[]): [number | null, string | undefined] {
  const [first, second] = numbers
  if (first === undefined) return [null, undefined]
  const yearFirst = first.length === 4 || Number(first) > 31
  return yearFirst ? [second === undefined ? 1 : Number(second), first] : [Number(first), second]
}

function fullYear(text: string | undefined): number {
  const year = Number(text ?? Number.NaN)
  if (text !== undefined && text.length <= 2) return year < 70 ? 2000 + year : 1900 + year
  return year
}

function twentyFour(clock: string, half: string | undefined): string {
  if (half === undefined) return clock
  const [hour = '0', ...rest] = clock.split(':')
  const base = Number(hour) % 12
  return [String(/^p/i.test(half) ? base + 12 : base), ...rest].join(':')
}

// Databases write 0000-00-00 and 0001-01-01 for "none". Parts past their range roll over, as they do in the C functions most feeds were tested with.
function toTime({ year, month, day, clock = '0', zone = 'Z' }: Parts): number | null {
  const [hour = 0, minute = 0, second = 0] = clock.replace(',', '.').split(':').map(Number)
  if (year < 1000 || month < 1 || day < 1) return null
  const local = Date.UTC(year, month - 1, day, hour, minute, 0) + Math.round(second * 1000)
  return local - offsetMinutes(zone) * 60_000
}

function offsetMinutes(zone: string): number {
  const [, sign, digits] = /^([+-])(\d{1,2}:?\d{0,2})$/.exec(zone) ?? []
  if (digits === undefined) return ZONES[zone.toLowerCase()] ?? 0
  const plain = digits.replace(':', '')
  const hours = plain.length <= 2 ? Number(plain) : Number(plain.slice(0, -2))
  const minutes = plain.length <= 2 ? 0 : Number(plain.slice(-2))
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes)
}
