import type { Meaning, Words } from './lexicon.ts'

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const ORDINALS =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  )

/** English date words, without accents and in lower case. */
export const ENGLISH: Words = {
  ...numbers(),
  ...months(),
  ...weekdays(),
  ...same({ unit: 'second' }, 'sec secs'),
  ...same({ unit: 'minute' }, 'minute minutes min mins'),
  ...same({ unit: 'hour' }, 'hour hours hr hrs'),
  ...same({ unit: 'day' }, 'day'),
  ...same({ unit: 'day', plural: true }, 'days'),
  ...same({ unit: 'week' }, 'week wk'),
  ...same({ unit: 'week', plural: true }, 'weeks wks'),
  ...same({ unit: 'workweek' }, 'workweek'),
  ...same({ unit: 'fortnight' }, 'fortnight fortnights'),
  ...same({ unit: 'weekend' }, 'weekend'),
  ...same({ unit: 'month' }, 'month'),
  ...same({ unit: 'month', plural: true }, 'months'),
  ...same({ unit: 'quarter', quarterHour: true }, 'quarter'),
  ...same({ unit: 'quarter', plural: true }, 'quarters'),
  ...same({ unit: 'year' }, 'year yr'),
  ...same({ unit: 'year', plural: true }, 'years yrs'),
  ...same({ unit: 'decade' }, 'decade decades'),
  ...same({ unit: 'century' }, 'century centuries'),
  ...same({ offset: 0 }, 'today todays'),
  ...same({ offset: 1 }, 'tomorrow tomorrows tmrw tmr tomorow'),
  ...same({ offset: -1 }, 'yesterday yesterdays'),
  ...same({ offset: 0, part: 'night' }, 'tonight tonite'),
  ...same({ part: 'morning' }, 'morning mornings'),
  ...same({ part: 'afternoon' }, 'afternoon afternoons'),
  ...same({ part: 'evening' }, 'evening evenings'),
  ...same({ part: 'night' }, 'night nights nite'),
  ...same({ part: 'lunch' }, 'lunch lunchtime'),
  ...same({ clock: 720 }, 'noon midday'),
  ...same({ clock: 0 }, 'midnight'),
  ...same({ which: 'this' }, 'this current'),
  ...same({ which: 'coming' }, 'coming upcoming'),
  ...same({ which: 'next' }, 'next following'),
  ...same({ which: 'last' }, 'last previous past'),
  ...same({ range: 'open', to: true }, 'to'),
  ...same({ range: 'open' }, 'until till til - ~'),
  ...same({ range: 'incl' }, 'through thru'),
  ...same({ list: true }, 'and & +'),
  ...same({ opener: 'from', glue: true }, 'from starting commencing beginning'),
  ...same({ opener: 'between' }, 'between'),
  ...same({ opener: 'since' }, 'since'),
  ...same({ glue: true }, 'on , | ( ) : . date time around about approximately ish by when doors'),
  ...same({ at: true, glue: true }, 'at @'),
  ...same({ label: 'start', glue: true, at: true }, 'starts start begins'),
  ...same({ label: 'doors', glue: true, at: true }, 'doors door'),
  ...same({ glue: true }, 'open opens opening'),
  ...same({ article: true, glue: true }, 'the my'),
  ...same({ of: true, glue: true }, 'of'),
  ...same({ within: 'in', glue: true, of: true }, 'in'),
  ...same({ within: 'span' }, 'within'),
  ...same({ shift: 'before' }, 'ago before'),
  ...same({ shift: 'after' }, 'later hence after'),
  ...same({ edge: 'begin' }, 'early'),
  ...same({ edge: 'middle' }, 'middle mid'),
  ...same({ edge: 'end' }, 'late'),
  ...same({ edge: 'end', label: 'end' }, 'end ends'),
  ...same(
    { phrase: true },
    'now asap moment right as for rest earlier q h w a an new st saint black labor labour memorial boxing mother mothers father fathers good earth king kings valentine valentines independence veterans veteran jubilee freedom cyber martin mlk palm ash groundhog presidents president columbus guy all women womens whit ascension couple few several business calendar',
  ),
  ...same({ meridiem: 'am' }, 'am'),
  ...same({ meridiem: 'pm' }, 'pm'),
  ...same({ oclock: true }, 'oclock'),
  half: { half: true },
  ...holidays(),
}
ENGLISH['past'] = { which: 'last', past: true }
ENGLISH['after'] = { shift: 'after', past: true }
ENGLISH['beginning'] = { opener: 'from', edge: 'begin', glue: true }
ENGLISH['start'] = { label: 'start', edge: 'begin', glue: true, at: true }
ENGLISH['second'] = { ordinal: 2, unit: 'second' }
ENGLISH['seconds'] = { unit: 'second' }

export function same(means: Meaning, words: string): Words {
  return Object.fromEntries(words.split(' ').map((word) => [word, means]))
}

function numbers(): Words {
  const words: Words = {}
  ONES.forEach((word, value) => (words[word] = { cardinal: value }))
  TENS.forEach((word, index) => (words[word] = { cardinal: (index + 2) * 10 }))
  ORDINALS.forEach((word, value) => (words[word] = { ordinal: value }))
  TENS.forEach((word, index) => (words[`${word.slice(0, -1)}ieth`] = { ordinal: (index + 2) * 10 }))
  return words
}

function months(): Words {
  const names =
    'january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sept|sep october|oct november|nov december|dec'
  const words: Words = {}
  names.split(' ').forEach((forms, index) => {
    for (const form of forms.split('|'))
      words[form] = { month: index + 1, weak: form === 'may' || form === 'mar' || form === 'march' }
  })
  return words
}

function weekdays(): Words {
  const names =
    'monday|mon tuesday|tues|tue wednesday|weds|wed thursday|thurs|thur|thu friday|fri saturday|sat sunday|sun'
  const words: Words = {}
  names.split(' ').forEach((forms, index) => {
    for (const form of forms.split('|')) words[form] = { weekday: index + 1, weak: form.length < 6 }
    words[`${forms.split('|')[0]}s`] = { weekday: index + 1, plural: true }
  })
  return words
}

function holidays(): Words {
  return {
    ...same({ holiday: 'christmas' }, 'christmas xmas'),
    ...same({ holiday: 'easter' }, 'easter'),
    ...same({ holiday: 'halloween' }, 'halloween'),
    ...same({ holiday: 'thanksgiving' }, 'thanksgiving'),
    ...same({ holiday: 'juneteenth' }, 'juneteenth'),
    ...same({ holiday: 'pentecost' }, 'pentecost whitsun'),
  }
}
