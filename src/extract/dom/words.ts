import { monthNumber } from './calendar-words.ts'

// Words that tell what a piece of text is for, in Dutch, English, German and French.

/** Before a date: it is about the page or a document, not about when something happens. */
export const NOT_WHEN =
  /(?:post(?:ed|ing)|publish(?:ed)?|updated?|modified|revised|amended|adopted|approv(?:ed|al)|effective|since|established|appointed|deadline|due|expir(?:es|ed)|created|copyright|©|minutes (?:of|from|for)|as of|dated|declared|signed|displaying|submitted|submit|register by|rsvp by|born|founded|implementing|elected|term ends?|geplaatst|gepubliceerd|bijgewerkt|gewijzigd|vastgesteld|sinds|uiterlijk|inschrijven|aanmelden|opgericht|veröffentlicht|aktualisiert|stand|seit|anmeldeschluss|publié|mis à jour|depuis|date limite)[^.;|]{0,45}$/iu

/** A sentence that announces a date. */
export const ANNOUNCES =
  /\b(?:will (?:be held|meet|take place|host|hold)|(?:is|are|been|be) (?:held|scheduled|rescheduled)|meets?|scheduled|join us|takes? place|held on|begins?|starts?|vindt plaats|vinden plaats|wordt gehouden|worden gehouden|vergadert|start op|begint|findet statt|finden statt|aura lieu|auront lieu|se tiendra)\b/iu

/** A sentence that says at what hour meetings usually begin. */
export const USUAL_TIME =
  /\b(?:meet(?:s|ings?)?|held|time|hour|begins?|starts?|start|convenes?|sessions?|unless|occur|aanvang|tijd|vergader\w*|begint|start|uhrzeit|beginn|heure)\b/iu

const DOCUMENT_WORDS = new Set(
  (
    'agenda agendas minutes packet packets notice notices summary summaries audio video webcast recording recordings ' +
    'presentation presentations handout handouts slides attachment attachments document documents materials results ' +
    'download downloads pdf doc docx html ics ical outlook google gcal googlecal calendar detail details info ' +
    'information more here register registration rsvp ticket tickets livestream youtube facebook twitter tweet share ' +
    'map directions transcript vote votes actions notes highlights memo event events reserveren bestel bestellen ' +
    'kaarten kopen notulen stukken verslag besluitenlijst informatie verder bekijk aanmelden mehr weiter anmelden ' +
    'karten billet billets suite plus cal learn contact sign subscribe join rsvp'
  ).split(' '),
)
const BESIDE_DOCUMENTS = new Set(
  (
    'view download see read watch open get print add the our full final draft approved revised corrected amended ' +
    'regular special supplemental accessible meeting board council committee online live link to for and a of more ' +
    'all click here by mail email e web us zoom access item part please up now posted published updated amended revised copy page website lees naar meer alle de het toon ga la lire'
  ).split(' '),
)

/** Documents and buttons that stand beside a date: never the name of what happens. */
export function namesDocument(text: string): boolean {
  const words =
    text
      .slice(0, 120)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  return (
    words.some((word) => DOCUMENT_WORDS.has(word)) &&
    words.every(
      (word) =>
        DOCUMENT_WORDS.has(word) || BESIDE_DOCUMENTS.has(word) || monthNumber(word) !== null,
    )
  )
}

/** Words that are left over when dates are taken out of a line. */
export const LEFT_OVER = new Set(
  'posted published updated amended revised modified added created prior'.split(' '),
)

export const CANCELLED =
  /\b(?:cancel+ed|cancel+ation|cancel|geannuleerd|afgelast|vervalt|gaat niet door|abgesagt|fällt aus|annulé\w*)\b/iu
export const POSTPONED =
  /\b(?:postponed|uitgesteld|verplaatst naar een later|verschoben|reporté\w*)\b/iu
export const RESCHEDULED = /\b(?:rescheduled|verplaatst|verzet naar|nieuwe datum)\b/iu
export const ONLINE =
  /\b(?:online (?:event|meeting|only)|virtual(?:ly)?|via zoom|zoom meeting|webinar|livestream|teleconference|videoconference|online bijeenkomst|digitaal)\b/iu

/** Words that say no more about a heading than that it heads a calendar. */
export const PLAIN_HEADING =
  /(?<![\p{L}\p{N}])(?:upcoming|past|next|virtual|virtually|hybrid|tentative|contact|contact us|about|about us|welcome|quick links|follow us|learn|previous|recent|current|all|our|the|of|and|for|in|to|a|at|on|meetings?|mtgs?|schedules?|agendas?|minutes|packets?|calendars?|events?|dates?|times?|list|archives?|archived|notices?|documents?|materials|downloads?|tools|view|details|results|available|search|online|live|see|more|page|menu|home|homepage|title|name|location|video|type|month|year|week|today|regular|bijeenkomsten|vergaderingen|vergadering|activiteiten|evenementen|agenda|kalender|programma|programm|overzicht|komende|alle|het|de|van|en|voor|nieuws|termine|veranstaltungen|kalender|événements|agenda|calendrier|january|february|march|april|may|june|july|august|september|october|november|december|januari|februari|maart|mei|juni|juli|augustus|oktober|(?:19|20)\d\d)(?![\p{L}\p{N}])/giu

export const PLACE_LABEL =
  /^(?:(?:meeting|event)\s+)?(?:location|place|where|venue|address|room|locatie|waar|plaats|zaal|adres|ort|veranstaltungsort|wo|lieu|où|adresse)\s*(?::|$)\s*/iu
export const TIME_LABEL =
  /^(?:date|time|when|hours?|datum|tijd|wanneer|aanvang|zeit|beginn|date et heure|heure)\b[^:]{0,20}:?\s*$/iu

/** A street with a number, a room or a postal code. */
export const ADDRESS =
  /\b\d{1,5}[A-Za-z]?\s+(?:[NSEW]\.?\s+)?(?:[A-Z][\p{L}.']+\s+){0,4}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Drive|Dr|Lane|Ln|Way|Court|Ct|Place|Pl|Plaza|Parkway|Pkwy|Highway|Hwy|Square)\b|\b[A-Z]{2}\s+\d{5}(?:-\d{4})?\b|\b\d{4}\s?[A-Z]{2}\b(?=[\s,]|$)|\b\p{L}+(?:straat|weg|laan|plein|kade|gracht|dijk|straße|strasse|platz|gasse)\s+\d+|\b(?:rue|avenue|place)\s+(?:de|du|des|la|le)\b/u

export const HALL =
  /\b(?:room|hall|chambers?|center|centre|library|building|auditorium|church|theat(?:er|re)|school|courthouse|city hall|conference|boardroom|museum|park|club|stadium|arena|zaal|stadhuis|gemeentehuis|raadzaal|bibliotheek|theater|schouwburg|kerk|dorpshuis|buurthuis|wijkcentrum|café|museum|plein|sporthal|verenigingsgebouw|gebouw|huis|podium|markt|marktplein|rathaus|saal|kirche|mairie|salle)\b/iu
