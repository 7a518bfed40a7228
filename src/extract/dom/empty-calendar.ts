import type { Page } from '../page.ts'
import { pageLines } from './lines.ts'

export interface EmptyCalendar {
  empty: boolean
  /** The sentence that says so. */
  evidence: string | null
}

const MAX_CHARS = 240

const SENTENCES = [
  // Dutch
  /\b(?:er (?:zijn|staan) (?:op dit moment |momenteel |nog |helaas )*geen (?:\p{L}+ ){0,3}(?:activiteiten|evenementen|voorstellingen|bijeenkomsten|vergaderingen|concerten|agenda-?items)|geen (?:\p{L}+ ){0,3}(?:activiteiten|evenementen|voorstellingen|bijeenkomsten|vergaderingen|concerten|agenda-?items)(?: \p{L}+){0,2} (?:gevonden|gepland|bekend|beschikbaar)|(?:momenteel|op dit moment|helaas) geen (?:\p{L}+ ){0,3}(?:activiteiten|evenementen|voorstellingen|bijeenkomsten|vergaderingen|concerten|agenda)|geen (?:komende|aankomende|geplande) (?:\p{L}+ ){0,2}(?:activiteiten|evenementen|voorstellingen|bijeenkomsten|vergaderingen|concerten)|de agenda is (?:nog )?leeg)/iu,
  // English
  /\b(?:there (?:are|is|were) (?:currently |presently |at this time |at the moment )*no (?:(?!at |in |for |to |of |about )\p{L}+ ){0,3}(?:events?|meetings?|shows?|performances?|concerts?|activities)|no (?:(?!at |in |for |to |of |about )\p{L}+ ){0,3}(?:events?|meetings?|shows?|performances?|concerts?|activities)(?: (?:are|were|have been))?(?: \p{L}+){0,1} (?:found|scheduled|planned|available|listed|to display|match)|no (?:upcoming|scheduled|future|current) (?:\p{L}+ ){0,2}(?:events?|meetings?|shows?|performances?|concerts?|activities)|(?:currently|presently) no (?:\p{L}+ ){0,2}(?:events?|meetings?|shows?)|check back (?:soon|later) for (?:\p{L}+ ){0,3}(?:events?|dates|shows?))/iu,
  // German
  /\b(?:(?:derzeit|zurzeit|aktuell|momentan|leider) (?:\p{L}+ ){0,4}keine (?:\p{L}+ ){0,2}(?:veranstaltungen|termine|konzerte|vorstellungen)|keine (?:\p{L}+ ){0,2}(?:veranstaltungen|termine|konzerte|vorstellungen) (?:\p{L}+ ){0,2}(?:gefunden|vorhanden|geplant|verfügbar)|keine (?:kommenden|anstehenden|aktuellen) (?:veranstaltungen|termine))/iu,
  // French
  /\b(?:aucune? (?:\p{L}+ ){0,2}(?:événements?|évènements?|manifestations?|concerts?|spectacles?|dates?)(?: \p{L}+){0,3} (?:trouvée?s?|prévue?s?|à venir|disponibles?|programmée?s?)|aucun (?:événement|évènement|concert|spectacle) à venir|il n['’]y a (?:\p{L}+ ){0,3}(?:pas|aucun)\s?(?:d['’])?\s?(?:événements?|évènements?))/iu,
]

/** Tells a calendar that says it is empty from a page we failed to read. */
export function emptyCalendar(page: Page): EmptyCalendar {
  for (const line of pageLines(page.dom).lines) {
    if (line.zone === 'nav' || line.zone === 'footer' || line.text.length > MAX_CHARS) continue
    if (SENTENCES.some((sentence) => sentence.test(line.text)))
      return { empty: true, evidence: line.text }
  }
  return { empty: false, evidence: null }
}
