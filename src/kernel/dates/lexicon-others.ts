import { same } from './lexicon-en.ts'
import type { Words } from './lexicon.ts'

/** Months, weekdays and joining words of neighbouring languages, so that plain and ranged dates work there too. */
export const OTHERS: Record<string, Words> = {
  de: {
    ...months(
      'januar|jan|janner februar|feb marz|maerz|mrz april|apr mai juni|jun juli|jul august|aug september|sept|sep oktober|okt november|nov dezember|dez',
    ),
    ...weekdays(
      'montag|mo dienstag|di mittwoch|mi donnerstag|do freitag|fr samstag|sonnabend|sa sonntag|so',
    ),
    ...same({ range: 'incl' }, 'bis'),
    ...same({ list: true }, 'und'),
    ...same({ opener: 'from', glue: true }, 'vom von ab'),
    ...same({ opener: 'between' }, 'zwischen'),
    ...same({ glue: true }, 'am den'),
    ...same({ at: true, glue: true }, 'um'),
    ...same({ label: 'start', glue: true, at: true }, 'beginn'),
    ...same({ label: 'doors', glue: true, at: true }, 'einlass'),
    ...same({ oclock: true }, 'uhr'),
    ...same({ offset: 0 }, 'heute'),
    ...same({ offset: 1 }, 'morgen'),
    ...same({ offset: 2 }, 'ubermorgen'),
    ...same({ offset: -1 }, 'gestern'),
  },
  fr: {
    ...months(
      'janvier|janv fevrier|fevr|fev mars avril|avr mai juin juillet|juil aout septembre|sept octobre|oct novembre|nov decembre|dec',
    ),
    ...weekdays('lundi|lun mardi|mar mercredi|mer jeudi|jeu vendredi|ven samedi|sam dimanche|dim'),
    ...same({ range: 'incl' }, 'au jusqu'),
    ...same({ range: 'open', at: true, glue: true }, 'a'),
    ...same({ list: true }, 'et'),
    ...same({ opener: 'from', glue: true }, 'du de des'),
    ...same({ opener: 'between' }, 'entre'),
    ...same({ article: true, glue: true }, 'le les'),
    ...same({ oclock: true }, 'heures heure h'),
    ...same({ offset: 0 }, "aujourd'hui"),
    ...same({ offset: 1 }, 'demain'),
    ...same({ offset: -1 }, 'hier'),
    ...same({ ordinal: 1 }, 'premier'),
  },
  es: {
    ...months(
      'enero|ene febrero|feb marzo|mar abril|abr mayo|may junio|jun julio|jul agosto|ago septiembre|setiembre|sept|sep octubre|oct noviembre|nov diciembre|dic',
    ),
    ...weekdays('lunes|lun martes|mar miercoles|mie jueves|jue viernes|vie sabado|sab domingo|dom'),
    ...same({ range: 'incl' }, 'hasta'),
    ...same({ range: 'open', at: true, glue: true }, 'a'),
    ...same({ range: 'open' }, 'al'),
    ...same({ list: true }, 'y'),
    ...same({ opener: 'from', glue: true }, 'desde'),
    ...same({ opener: 'from', glue: true, of: true }, 'del de'),
    ...same({ opener: 'between' }, 'entre'),
    ...same({ article: true, glue: true }, 'el los las la'),
    ...same({ oclock: true }, 'horas hs h'),
    ...same({ offset: 0 }, 'hoy'),
    ...same({ offset: -1 }, 'ayer'),
  },
  it: {
    ...months(
      'gennaio|gen febbraio|feb marzo|mar aprile|apr maggio|mag giugno|giu luglio|lug agosto|ago settembre|sett|set ottobre|ott novembre|nov dicembre|dic',
    ),
    ...weekdays(
      'lunedi|lun martedi|mar mercoledi|mer giovedi|gio venerdi|ven sabato|sab domenica|dom',
    ),
    ...same({ range: 'incl' }, 'fino'),
    ...same({ range: 'open', at: true, glue: true }, 'alle a'),
    ...same({ range: 'open' }, 'al'),
    ...same({ list: true }, 'e'),
    ...same({ opener: 'from', glue: true }, 'dal dalle da'),
    ...same({ article: true, glue: true }, 'il i le la'),
    ...same({ at: true, glue: true }, 'ore ora'),
    ...same({ offset: 0 }, 'oggi'),
    ...same({ offset: 1 }, 'domani'),
    ...same({ offset: -1 }, 'ieri'),
  },
}

function months(names: string): Words {
  const words: Words = {}
  names.split(' ').forEach((forms, index) => {
    for (const form of forms.split('|')) words[form] = { month: index + 1 }
  })
  return words
}

function weekdays(names: string): Words {
  const words: Words = {}
  names.split(' ').forEach((forms, index) => {
    for (const form of forms.split('|')) words[form] = { weekday: index + 1, weak: form.length < 5 }
  })
  return words
}
