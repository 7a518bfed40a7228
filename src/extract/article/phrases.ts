// Words of boilerplate in the languages seen most. Matched against short blocks only, as evidence.

const phraseGroups: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    'share',
    /\b(share|tweet|facebook|twitter|whatsapp|linkedin|pinterest|instagram|follow us|teilen|partager|compartir|condividi|delen|e-?mail|print|drucken|copy link|udostępnij|поделиться)\b/i,
  ],
  [
    'more',
    /\b(read (more|next|also)|see also|more (from|on|stories|news|articles)|related|recommended|you (may|might) (also )?like|most (read|popular)|trending|latest|popular|mehr (zum|aus|von|zu)|weiterlesen|lesen sie|auch interessant|das könnte|ähnliche|verwandte|lire (aussi|la suite)|à lire|articles? (liés|similaires)|leggi anche|ti potrebbe|lees (ook|meer|verder)|gerelateerd|lea también|te puede interesar|más (noticias|leído)|relacionad|previous|next (post|article)|nächster|vorheriger|zurück|weitere|czytaj|leia (mais|também)|читайте)/i,
  ],
  [
    'subscribe',
    /\b(newsletter|subscri(be|ption)|sign (up|in)|log ?in|register|abonn|anmelden|registrieren|s'inscrire|inscri|suscr|iscriviti|aanmelden|inloggen|inbox|free trial|create an account|member(s|ship)?)\b/i,
  ],
  [
    'legal',
    /©|\(c\)|\b(copyright|all rights reserved|alle rechte|tous droits|todos los derechos|cookies?|privacy|datenschutz|impressum|terms (of|and)|conditions|disclaimer|agb|mentions légales|alle rechten|política|affiliate)\b/i,
  ],
  [
    'comment',
    /\b(comments?|kommentar|kommentare|commentaires?|comentarios?|reacties?|repl(y|ies)|leave a|antwort(en)?|répondre|responder|says:|schreibt|sagt:|logged in to|akismet)\b/i,
  ],
  [
    'byline',
    /^(by|von|par|por|door|di|text|foto|photo|written by|posted by|author|autor)\b[: ]|\b(posted|published|updated|last modified|veröffentlicht|aktualisiert|erstellt am|publié|publicado|gepubliceerd|pubblicato|min read|minutes? read|lesezeit|uhr\b|reading time)/i,
  ],
  [
    'tags',
    /^(tags?|topics?|categor(y|ies)|filed under|posted in|schlagw|kategorien?|themen|stichw|mots-clés|etiquetas|labels?|keywords)\b/i,
  ],
  [
    'price',
    /[$€£¥]\s?\d|\d\s?(€|eur|usd|kr|zł)\b|add to (cart|bag|basket)|in den warenkorb|in stock|quantity/i,
  ],
  [
    'credit',
    /^(photo|image|foto|bild|picture|credit|source|quelle|getty|ap photo|illustration|video)\b|getty images|shutterstock|\b(dpa|reuters|afp)\b/i,
  ],
  [
    'contact',
    /\b(contact us|call us|click here|learn more|get started|book (now|a)|request a|download|buy now|view (all|more)|show (more|all)|load more|back to|skip to|menu|search|sort by|filter|advertisement|anzeige|werbung|sponsored)\b/i,
  ],
]

export const phraseNames: readonly string[] = phraseGroups.map(([name]) => name)

/** One bit per phrase group found in a short text; long texts are judged by their shape alone. */
export function phrasesOf(text: string): number {
  if (text.length > 300) return 0
  let mask = 0
  for (let bit = 0; bit < phraseGroups.length; bit++) {
    if (phraseGroups[bit]?.[1].test(text) === true) mask |= 1 << bit
  }
  return mask
}

export const datePattern =
  /\b(19|20)\d\d[-./]\d{1,2}[-./]\d{1,2}|\b\d{1,2}[-./]\d{1,2}[-./](19|20)?\d\d\b|\b\d{1,2}\.?(st|nd|rd|th)?\s+(of )?\p{L}{3,10}\.?,?\s+(19|20)\d\d|\b\p{L}{3,10}\.? \d{1,2}(st|nd|rd|th)?,? (19|20)\d\d|\b\d+ (hours?|days?|minutes?|weeks?|months?|years?) ago\b|(19|20)\d\d年/iu
