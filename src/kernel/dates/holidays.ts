import { civilOf, dayNumber, easterSunday, nthWeekday, weekdayOf } from './calendar.ts'
import {
  type Context,
  day,
  type DayValue,
  isMark,
  type Parsed,
  spanOf,
  tokenAt,
} from './context.ts'
import { readTrailingYear } from './day-absolute.ts'
import { readNumber } from './numbers.ts'

const FIXED: Record<string, [month: number, day: number]> = {
  newyear: [1, 1],
  epiphany: [1, 6],
  groundhog: [2, 2],
  valentine: [2, 14],
  womensday: [3, 8],
  stpatrick: [3, 17],
  aprilfools: [4, 1],
  earthday: [4, 22],
  kingsday: [4, 27],
  mayday: [5, 1],
  remembrance: [5, 4],
  liberation: [5, 5],
  juneteenth: [6, 19],
  independence: [7, 4],
  halloween: [10, 31],
  allsaints: [11, 1],
  guyfawkes: [11, 5],
  stmartin: [11, 11],
  sinterklaas: [12, 5],
  christmaseve: [12, 24],
  christmas: [12, 25],
  boxingday: [12, 26],
  newyearseve: [12, 31],
}

const FROM_EASTER: Record<string, number> = {
  carnival: -49,
  ashwednesday: -46,
  palmsunday: -7,
  goodfriday: -2,
  easter: 0,
  eastermonday: 1,
  ascension: 39,
  pentecost: 49,
  whitmonday: 50,
}

const NTH: Record<string, [month: number, weekday: number, nth: number]> = {
  mlk: [1, 1, 3],
  presidentsday: [2, 1, 3],
  mothersday: [5, 7, 2],
  memorialday: [5, 1, -1],
  fathersday: [6, 7, 3],
  laborday: [9, 1, 1],
  princesday: [9, 2, 3],
  columbusday: [10, 1, 2],
  thanksgiving: [11, 4, 4],
}

/** Phrases of several words, by their tokens without apostrophes and dots. */
const PHRASES: Record<string, string> = {
  'new year': 'newyear',
  'new years': 'newyear',
  'new year day': 'newyear',
  'new years day': 'newyear',
  'new year eve': 'newyearseve',
  'new years eve': 'newyearseve',
  'eerste kerstdag': 'christmas',
  'tweede kerstdag': 'boxingday',
  'eerste paasdag': 'easter',
  'tweede paasdag': 'eastermonday',
  'eerste pinksterdag': 'pentecost',
  'tweede pinksterdag': 'whitmonday',
  'goede vrijdag': 'goodfriday',
  'oud en nieuw': 'newyearseve',
  'christmas day': 'christmas',
  'christmas eve': 'christmaseve',
  'xmas eve': 'christmaseve',
  'boxing day': 'boxingday',
  'easter sunday': 'easter',
  'easter monday': 'eastermonday',
  'good friday': 'goodfriday',
  'palm sunday': 'palmsunday',
  'ash wednesday': 'ashwednesday',
  'ascension day': 'ascension',
  'whit monday': 'whitmonday',
  'valentine day': 'valentine',
  'valentines day': 'valentine',
  'st patrick day': 'stpatrick',
  'st patrick': 'stpatrick',
  'saint patrick day': 'stpatrick',
  'saint patrick': 'stpatrick',
  'april fools day': 'aprilfools',
  'april fools': 'aprilfools',
  'april fool day': 'aprilfools',
  'earth day': 'earthday',
  'king day': 'kingsday',
  'kings day': 'kingsday',
  'may day': 'mayday',
  'mother day': 'mothersday',
  'mothers day': 'mothersday',
  'father day': 'fathersday',
  'fathers day': 'fathersday',
  'memorial day': 'memorialday',
  'labor day': 'laborday',
  'labour day': 'laborday',
  'columbus day': 'columbusday',
  'thanksgiving day': 'thanksgiving',
  'independence day': 'independence',
  'halloween day': 'halloween',
  'all saints day': 'allsaints',
  'guy fawkes day': 'guyfawkes',
  'veterans day': 'stmartin',
  'veteran day': 'stmartin',
  'groundhog day': 'groundhog',
  'presidents day': 'presidentsday',
  'president day': 'presidentsday',
  'martin luther king day': 'mlk',
  'mlk day': 'mlk',
  'jubilee day': 'juneteenth',
  'freedom day': 'juneteenth',
  'black friday': 'blackfriday',
  'cyber monday': 'cybermonday',
  'women day': 'womensday',
  'womens day': 'womensday',
  moederdag: 'mothersday',
  vaderdag: 'fathersday',
  prinsjesdag: 'princesday',
  driekoningen: 'epiphany',
  carnaval: 'carnival',
  carnival: 'carnival',
}

/** "Tweede Paasdag 2026", "next King's Day", "labor day weekend". */
export function readHoliday(c: Context, i: number): Parsed<DayValue> | null {
  const which = tokenAt(c, i).means.which
  const found = readName(c, which === undefined ? i : i + 1)
  if (found === null) return null
  const year = readTrailingYear(c, found.next)
  const from =
    year === null ? nearest(c, found.value, which === 'last') : holidayIn(found.value, year.value)
  if (from === null) return null
  const next = year?.next ?? found.next
  if (tokenAt(c, next).means.unit === 'weekend')
    return { value: weekendAround(from), next: next + 1 }
  return { value: day(spanOf(from, from, 'day'), year === null ? 0.5 : 0.8), next }
}

/** The weekend at a holiday: with the Monday or Friday when the holiday is one of those. */
export function weekendAround(holiday: number): DayValue {
  const weekday = weekdayOf(holiday)
  const saturday = weekday <= 2 ? holiday - weekday - 1 : holiday + (6 - weekday)
  return day(
    spanOf(
      Math.min(saturday, weekday === 5 ? holiday : saturday),
      Math.max(saturday + 1, weekday === 1 ? holiday : 0),
      'weekend',
    ),
    0.5,
  )
}

function readName(c: Context, i: number): Parsed<string> | null {
  let text = ''
  let best: Parsed<string> | null = null
  const single = tokenAt(c, i).means.holiday
  if (single !== undefined) best = { value: single, next: i + 1 }
  for (let j = i, words = 0; words < 4 && j < i + 7; j++) {
    const token = tokenAt(c, j)
    if (token.text === "'s" || isMark(c, j, ".'")) continue
    const ordinal = words === 0 ? readOrdinalWord(c, j) : null
    if (ordinal !== null) j = ordinal.next - 1
    else if (token.kind !== 'word') break
    words++
    const word = ordinal?.value ?? token.text
    text = text === '' ? word : `${text} ${word}`
    const key = PHRASES[text]
    if (key !== undefined) best = { value: key, next: j + 1 }
  }
  return best
}

/** "2e kerstdag" is "tweede kerstdag". */
function readOrdinalWord(c: Context, i: number): Parsed<string> | null {
  const number = readNumber(c, i)
  if (number === null || number.value.spelled || !number.value.ordinal) return null
  const word = number.value.value === 1 ? 'eerste' : number.value.value === 2 ? 'tweede' : null
  return word === null ? null : { value: word, next: number.next }
}

function holidayIn(key: string, y: number): number | null {
  const fixed = FIXED[key]
  if (fixed !== undefined) return dayNumber(y, fixed[0], fixed[1])
  const offset = FROM_EASTER[key]
  if (offset !== undefined) return easterSunday(y) + offset
  if (key === 'blackfriday' || key === 'cybermonday') {
    const thursday = nthWeekday(y, 11, 4, 4)
    return thursday === null ? null : thursday + (key === 'blackfriday' ? 1 : 4)
  }
  const nth = NTH[key]
  return nth === undefined ? null : nthWeekday(y, nth[0], nth[1], nth[2])
}

function nearest(c: Context, key: string, past: boolean): number | null {
  const { y } = civilOf(c.ref)
  const years = past ? [y, y - 1] : [y, y + 1]
  for (const year of years) {
    const found = holidayIn(key, year)
    if (found !== null && (past ? found < c.ref : found >= c.ref)) return found
  }
  return null
}
