// Month and weekday names of the languages our sources are written in, with usual short forms and slips.

const MONTH_WORDS: string[][] = [
  [
    'january',
    'jan',
    'januari',
    'januar',
    'jänner',
    'janvier',
    'janv',
    'enero',
    'ene',
    'gennaio',
    'gen',
    'janeiro',
  ],
  [
    'february',
    'feb',
    'febr',
    'febuary',
    'feburary',
    'februari',
    'februar',
    'février',
    'fevrier',
    'févr',
    'fév',
    'febrero',
    'febbraio',
    'fevereiro',
  ],
  ['march', 'mar', 'maart', 'mrt', 'märz', 'maerz', 'mär', 'mars', 'marzo', 'março'],
  ['april', 'apr', 'avril', 'avr', 'abril', 'abr', 'aprile'],
  ['may', 'mei', 'mai', 'mayo', 'maggio', 'mag', 'maio'],
  ['june', 'jun', 'juni', 'juin', 'junio', 'giugno', 'giu', 'junho'],
  ['july', 'jul', 'juli', 'juillet', 'juil', 'julio', 'luglio', 'lug', 'julho'],
  ['august', 'aug', 'augustus', 'août', 'aout', 'agosto', 'ago'],
  ['september', 'sept', 'sep', 'septembre', 'septiembre', 'settembre', 'set', 'setembro'],
  ['october', 'oct', 'oktober', 'okt', 'octobre', 'octubre', 'ottobre', 'ott', 'outubro'],
  ['november', 'nov', 'novembre', 'noviembre', 'novembro'],
  [
    'december',
    'dec',
    'dezember',
    'dez',
    'décembre',
    'decembre',
    'déc',
    'diciembre',
    'dic',
    'dicembre',
    'dezembro',
  ],
]

const WEEKDAY_WORDS: string[][] = [
  ['sunday', 'sun', 'zondag', 'zo', 'sonntag', 'dimanche', 'dim', 'domingo', 'domenica'],
  ['monday', 'mon', 'maandag', 'ma', 'montag', 'lundi', 'lun', 'lunes', 'lunedì'],
  ['tuesday', 'tue', 'tues', 'dinsdag', 'di', 'dienstag', 'mardi', 'martes', 'martedì'],
  [
    'wednesday',
    'wed',
    'weds',
    'woensdag',
    'wo',
    'woe',
    'mittwoch',
    'mi',
    'mercredi',
    'mer',
    'miércoles',
    'mercoledì',
  ],
  [
    'thursday',
    'thu',
    'thur',
    'thurs',
    'donderdag',
    'do',
    'don',
    'donnerstag',
    'jeudi',
    'jeu',
    'jueves',
    'giovedì',
  ],
  [
    'friday',
    'fri',
    'vrijdag',
    'vr',
    'vrij',
    'freitag',
    'fr',
    'vendredi',
    'ven',
    'viernes',
    'venerdì',
  ],
  [
    'saturday',
    'sat',
    'zaterdag',
    'za',
    'zat',
    'samstag',
    'sonnabend',
    'samedi',
    'sam',
    'sábado',
    'sabato',
  ],
]

const months = indexOf(MONTH_WORDS)
const weekdays = indexOf(WEEKDAY_WORDS)

export const MONTH = alternation(months)
export const WEEKDAY = alternation(weekdays)

/** 1 to 12, or null for any other word. */
export function monthNumber(word: string): number | null {
  const at = months.get(word.toLowerCase().replace(/\.$/, ''))
  return at === undefined ? null : at + 1
}

/** 0 (Sunday) to 6, or null for any other word. */
export function weekdayNumber(word: string): number | null {
  return weekdays.get(word.toLowerCase().replace(/\.$/, '')) ?? null
}

function indexOf(words: string[][]): Map<string, number> {
  return new Map(words.flatMap((forms, at) => forms.map((form) => [form, at] as const)))
}

// Longest first, so that "mar" does not win from "march".
function alternation(words: Map<string, number>): string {
  return [...words.keys()].toSorted((a, b) => b.length - a.length).join('|')
}
