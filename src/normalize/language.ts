import { eld } from 'eld/medium'

const detector = eld.newInstance()
detector.setLanguageSubset(['nl', 'en', 'de', 'fr', 'es', 'it'])

const enoughChars = 40
const mostChars = 300

/** The language of a text. Short texts are left to the hints: the page's own statement, then the source's locale. */
export function detectLanguage(text: string, hint: string | null, locale: string): string {
  const hinted = primaryOf(hint)
  const sample = text.slice(0, mostChars)
  if (sample.length < enoughChars && hinted !== null) return hinted
  const found = detector.detect(sample)
  if (found.language !== '' && (found.isReliable() || sample.length >= enoughChars))
    return found.language
  return hinted ?? primaryOf(locale) ?? 'nl'
}

function primaryOf(tag: string | null): string | null {
  const primary = /^[a-z]{2,3}(?=$|[-_])/i.exec(tag?.trim() ?? '')?.[0].toLowerCase()
  return primary ?? null
}
