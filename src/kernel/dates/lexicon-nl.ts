import { same } from './lexicon-en.ts'
import type { Words } from './lexicon.ts'

const ONES =
  'nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien'.split(
    ' ',
  )
const TENS = 'twintig dertig veertig vijftig zestig zeventig tachtig negentig'.split(' ')
const ORDINALS =
  'nulde eerste tweede derde vierde vijfde zesde zevende achtste negende tiende elfde twaalfde dertiende veertiende vijftiende zestiende zeventiende achttiende negentiende'.split(
    ' ',
  )

/** Dutch date words, without accents and in lower case. */
export const DUTCH: Words = {
  ...numbers(),
  ...months(),
  ...weekdays(),
  ...same({ unit: 'second' }, 'seconde seconden'),
  ...same({ unit: 'minute' }, 'minuut minuten min'),
  ...same({ unit: 'hour', oclock: true }, 'uur u'),
  ...same({ unit: 'hour' }, 'uren uurtje'),
  ...same({ unit: 'day' }, 'dag'),
  ...same({ unit: 'day', plural: true }, 'dagen'),
  ...same({ unit: 'businessday' }, 'werkdag werkdagen'),
  ...same({ unit: 'week' }, 'week'),
  ...same({ unit: 'week', plural: true }, 'weken'),
  ...same({ unit: 'workweek' }, 'werkweek'),
  ...same({ unit: 'weekend' }, 'weekend weekeinde'),
  ...same({ unit: 'month' }, 'maand'),
  ...same({ unit: 'month', plural: true }, 'maanden'),
  ...same({ unit: 'quarter' }, 'kwartaal kwartalen'),
  ...same({ unit: 'year' }, 'jaar kalenderjaar'),
  ...same({ unit: 'year', plural: true }, 'jaren'),
  ...same({ unit: 'decade' }, 'decennium decennia'),
  ...same({ unit: 'century' }, 'eeuw eeuwen'),
  ...same({ offset: 0 }, 'vandaag'),
  ...same({ offset: 1, part: 'morning' }, 'morgen'),
  ...same({ offset: 2 }, 'overmorgen'),
  ...same({ offset: -1 }, 'gisteren gister'),
  ...same({ offset: -2 }, 'eergisteren'),
  ...same({ offset: 0, part: 'evening' }, 'vanavond'),
  ...same({ offset: 0, part: 'afternoon' }, 'vanmiddag vannamiddag'),
  ...same({ offset: 0, part: 'morning' }, 'vanochtend vanmorgen vanvoormiddag'),
  ...same({ offset: 0, part: 'night' }, 'vannacht'),
  ...same(
    { part: 'morning' },
    'ochtend ochtends morgens voormiddag voormiddags smorgens sochtends',
  ),
  ...same({ part: 'afternoon' }, 'middag middags namiddag namiddags smiddags'),
  ...same({ part: 'evening' }, 'avond avonds savonds'),
  ...same({ part: 'night' }, 'nacht nachts snachts'),
  ...same({ part: 'lunch' }, 'lunchtijd'),
  ...same({ clock: 720 }, 'middaguur'),
  ...same({ clock: 0 }, 'middernacht'),
  ...same({ which: 'this' }, 'deze dit huidige huidig'),
  ...same({ which: 'coming' }, 'komende komend aankomende aankomend aanstaande aanst'),
  ...same({ which: 'next' }, 'volgende volgend'),
  ...same({ which: 'last' }, 'vorige vorig afgelopen laatste voorgaande voorafgaande verleden'),
  ...same({ range: 'open' }, 'tot'),
  ...same({ list: true }, 'en'),
  ...same({ opener: 'from', glue: true, of: true }, 'van'),
  ...same({ opener: 'from', glue: true }, 'vanaf'),
  ...same({ opener: 'between' }, 'tussen'),
  ...same({ opener: 'since' }, 'sinds'),
  ...same({ glue: true }, 'op datum tijd tijdstip rond omstreeks wanneer jl jongstleden dd'),
  ...same({ at: true, glue: true }, 'om tegen'),
  ...same({ label: 'start', glue: true, at: true }, 'aanvang aanvangstijd begint'),
  ...same({ label: 'doors', glue: true, at: true }, 'deur deuren zaal inloop kassa ontvangst'),
  ...same({ glue: true }, 'open opent'),
  ...same({ article: true, glue: true }, 'de het mijn'),
  ...same({ glue: true }, "'s s"),
  ...same({ within: 'in' }, 'over'),
  ...same({ within: 'in', glue: true, of: true }, 'in'),
  ...same({ within: 'span' }, 'binnen'),
  ...same({ shift: 'before' }, 'geleden ervoor'),
  ...same({ shift: 'after' }, 'later daarna erna na'),
  ...same({ edge: 'begin' }, 'vroeg'),
  ...same({ edge: 'middle' }, 'midden medio'),
  ...same({ edge: 'end' }, 'laat'),
  ...same({ edge: 'end', label: 'end' }, 'eind einde eindtijd'),
  ...same(
    { phrase: true },
    'nu eerder gedurende k tweeduizend goede oud moederdag vaderdag carnaval prinsjesdag driekoningen paar enkele heden t',
  ),
  half: { half: true },
  ...same({ quarterHour: true }, 'kwart'),
  ...same({ holiday: 'christmas' }, 'kerst kerstmis kerstdag'),
  ...same({ holiday: 'christmaseve' }, 'kerstavond'),
  ...same({ holiday: 'easter' }, 'pasen paasdag paaszondag'),
  ...same({ holiday: 'eastermonday' }, 'paasmaandag'),
  ...same({ holiday: 'newyear' }, 'nieuwjaar nieuwjaarsdag'),
  ...same({ holiday: 'newyearseve' }, 'oudjaar oudejaarsavond oudejaarsdag oudejaar'),
  ...same({ holiday: 'kingsday' }, 'koningsdag'),
  ...same({ holiday: 'liberation' }, 'bevrijdingsdag'),
  ...same({ holiday: 'remembrance' }, 'dodenherdenking'),
  ...same({ holiday: 'ascension' }, 'hemelvaart hemelvaartsdag'),
  ...same({ holiday: 'pentecost' }, 'pinksteren pinksterdag'),
  ...same({ holiday: 'sinterklaas' }, 'sinterklaas sinterklaasavond pakjesavond'),
  ...same({ holiday: 'valentine' }, 'valentijnsdag valentijn'),
}
DUTCH['over'] = { within: 'in', past: true }
DUTCH['voor'] = { shift: 'before', to: true }
DUTCH['begin'] = { edge: 'begin', label: 'start', glue: true, at: true }
DUTCH['start'] = { label: 'start', glue: true, at: true }

function numbers(): Words {
  const words: Words = {}
  ONES.forEach((word, value) => (words[word] = { cardinal: value }))
  ORDINALS.forEach((word, value) => (words[word] = { ordinal: value }))
  TENS.forEach((tens, index) => {
    const base = (index + 2) * 10
    words[tens] = { cardinal: base }
    words[`${tens}ste`] = { ordinal: base }
    for (let one = 1; one <= 9; one++) {
      const word = `${ONES[one]}en${tens}`
      words[word] = { cardinal: base + one }
      words[`${word}ste`] = { ordinal: base + one }
    }
  })
  // People also say "vieren" and "zevenen" for the hour.
  const hours = {
    drieen: 3,
    vieren: 4,
    vijven: 5,
    zessen: 6,
    zevenen: 7,
    achten: 8,
    negenen: 9,
    tienen: 10,
  }
  for (const [word, value] of Object.entries(hours)) words[word] = { cardinal: value }
  return words
}

function months(): Words {
  const names =
    'januari|jan februari|febr|feb maart|mrt april|apr mei juni|jun juli|jul augustus|aug september|sept|sep oktober|okt|oct november|nov december|dec'
  const words: Words = {}
  names.split(' ').forEach((forms, index) => {
    for (const form of forms.split('|')) words[form] = { month: index + 1 }
  })
  return words
}

function weekdays(): Words {
  const names =
    'maandag|maan|ma dinsdag|dins|di woensdag|woens|woe|wo donderdag|dond|don|do vrijdag|vrij|vrijd|vr zaterdag|zat|za zondag|zond|zon|zo'
  const words: Words = {}
  names.split(' ').forEach((forms, index) => {
    for (const form of forms.split('|')) words[form] = { weekday: index + 1, weak: form.length < 6 }
    words[`${forms.split('|')[0]}en`] = { weekday: index + 1, plural: true }
  })
  return words
}
