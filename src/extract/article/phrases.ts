import { findSigned, signTable } from './phrase-signs.ts'

// Words of boilerplate in the languages seen most. Matched against short blocks only, as evidence.

/**
 * What a pattern finds begins with one of `starts` at the start of a word, or has one of `parts` anywhere: three signs with
 * "_" for a blank, "0" for any digit, "$" for a sign of money or law, "-" and "é" for any other sign and foreign letter.
 */
interface PhraseGroup {
  name: string
  starts: string
  parts?: string
  pattern: RegExp
}

const phraseGroups: readonly PhraseGroup[] = [
  {
    name: 'share',
    starts: 'sha twe fac twi wha lin pin ins fol tei par com con del e-m ema pri dru cop udo',
    parts: 'под',
    pattern:
      /\b(share|tweet|facebook|twitter|whatsapp|linkedin|pinterest|instagram|follow us|teilen|partager|compartir|condividi|delen|e-?mail|print|drucken|copy link|udostępnij|поделиться)\b/i,
  },
  {
    name: 'more',
    starts:
      'rea see mor rel rec you mos tre lat pop meh wei les auc das ver lir art leg ti_ lee ger lea te_ más pre nex näc vor zur czy lei',
    parts: 'ähn à_l чит',
    pattern:
      /\b(read (more|next|also)|see also|more (from|on|stories|news|articles)|related|recommended|you (may|might) (also )?like|most (read|popular)|trending|latest|popular|mehr (zum|aus|von|zu)|weiterlesen|lesen sie|auch interessant|das könnte|ähnliche|verwandte|lire (aussi|la suite)|à lire|articles? (liés|similaires)|leggi anche|ti potrebbe|lees (ook|meer|verder)|gerelateerd|lea también|te puede interesar|más (noticias|leído)|relacionad|previous|next (post|article)|nächster|vorheriger|zurück|weitere|czytaj|leia (mais|também)|читайте)/i,
  },
  {
    name: 'subscribe',
    starts: "new sub sig log reg abo anm s'i ins sus isc aan inl inb fre cre mem",
    pattern:
      /\b(newsletter|subscri(be|ption)|sign (up|in)|log ?in|register|abonn|anmelden|registrieren|s'inscrire|inscri|suscr|iscriviti|aanmelden|inloggen|inbox|free trial|create an account|member(s|ship)?)\b/i,
  },
  {
    name: 'legal',
    starts: 'cop all tou tod coo pri dat imp ter con dis agb men pol aff',
    parts: '$ (c)',
    pattern:
      /©|\(c\)|\b(copyright|all rights reserved|alle rechte|tous droits|todos los derechos|cookies?|privacy|datenschutz|impressum|terms (of|and)|conditions|disclaimer|agb|mentions légales|alle rechten|política|affiliate)\b/i,
  },
  {
    name: 'comment',
    starts: 'com kom rea rep lea ant rép res say sch sag log aki',
    pattern:
      /\b(comments?|kommentar|kommentare|commentaires?|comentarios?|reacties?|repl(y|ies)|leave a|antwort(en)?|répondre|responder|says:|schreibt|sagt:|logged in to|akismet)\b/i,
  },
  {
    name: 'byline',
    starts:
      'by: by_ von par por doo di: di_ tex fot pho wri pos aut pub upd las ver akt ers gep min les uhr rea',
    pattern:
      /^(by|von|par|por|door|di|text|foto|photo|written by|posted by|author|autor)\b[: ]|\b(posted|published|updated|last modified|veröffentlicht|aktualisiert|erstellt am|publié|publicado|gepubliceerd|pubblicato|min read|minutes? read|lesezeit|uhr\b|reading time)/i,
  },
  {
    name: 'tags',
    starts: 'tag top cat fil pos sch kat the sti mot eti lab key',
    pattern:
      /^(tags?|topics?|categor(y|ies)|filed under|posted in|schlagw|kategorien?|themen|stichw|mots-clés|etiquetas|labels?|keywords)\b/i,
  },
  {
    name: 'price',
    starts: '',
    parts: '$ 0eu 0us 0kr 0zł 0_e 0_u 0_k 0_z 0-e 0-u 0-k 0-z 0ée 0éu 0ék 0éz add war sto qua',
    pattern:
      /[$€£¥]\s?\d|\d\s?(€|eur|usd|kr|zł)\b|add to (cart|bag|basket)|in den warenkorb|in stock|quantity/i,
  },
  {
    name: 'credit',
    starts: 'pho ima fot bil pic cre sou que get ap_ ill vid dpa reu afp',
    parts: 'get shu',
    pattern:
      /^(photo|image|foto|bild|picture|credit|source|quelle|getty|ap photo|illustration|video)\b|getty images|shutterstock|\b(dpa|reuters|afp)\b/i,
  },
  {
    name: 'contact',
    starts:
      'con cal cli lea get boo req dow buy vie sho loa bac ski men sea sor fil adv anz wer spo',
    pattern:
      /\b(contact us|call us|click here|learn more|get started|book (now|a)|request a|download|buy now|view (all|more)|show (more|all)|load more|back to|skip to|menu|search|sort by|filter|advertisement|anzeige|werbung|sponsored)\b/i,
  },
]

export const phraseNames: readonly string[] = phraseGroups.map(({ name }) => name)

/** One bit per phrase group found in a short text; long texts are judged by their shape alone. */
export function phrasesOf(text: string): number {
  return text.length > 300 ? 0 : findSigned(text, signs)
}

// All patterns on every text were a tenth of the time of a page; most texts have no word that begins like one of theirs.
const signs = signTable(phraseGroups)

export function hasDate(text: string): boolean {
  return dateSign.test(text) && datePattern.test(text)
}

/** In all that the pattern below finds. */
const dateSign = /(?:19|20)\d\d|\d[-./]\d|\sago\b/i
const datePattern =
  /\b(19|20)\d\d[-./]\d{1,2}[-./]\d{1,2}|\b\d{1,2}[-./]\d{1,2}[-./](19|20)?\d\d\b|\b\d{1,2}\.?(st|nd|rd|th)?\s+(of )?\p{L}{3,10}\.?,?\s+(19|20)\d\d|\b\p{L}{3,10}\.? \d{1,2}(st|nd|rd|th)?,? (19|20)\d\d|\b\d+ (hours?|days?|minutes?|weeks?|months?|years?) ago\b|(19|20)\d\d年/iu
