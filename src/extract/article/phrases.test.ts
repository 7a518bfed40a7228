import { expect, test } from 'vitest'
import { phraseNames, phrasesOf } from './phrases.ts'

const said: Record<string, string[]> = {
  share: ['Share', 'e-mail', 'email ons', 'Copy link', 'WhatsApp', 'udostępnij'],
  more: ['Lees ook:', 'Te puede interesar', 'Ti potrebbe', 'xà lire', 'xähnliche', 'Más leído'],
  subscribe: ["S'inscrire", 'Log in', 'Sign up', 'Inbox', 'Free trial'],
  legal: ['© 2026', '(c) us', 'Alle rechten', 'cookie', 'Política', 'AGB'],
  comment: ['3 comments', 'Répondre', 'Leave a word', 'replies'],
  byline: ['By: Anna', 'di Anna', '12 uhr', 'Last modified', '5 min read', 'Reading time'],
  tags: ['Tags', 'filed under', 'Mots-clés', 'Keywords'],
  price: ['€ 5', '$5', '12 usd', 'Add to cart', 'in den Warenkorb', 'in stock', 'quantity'],
  credit: ['Foto: Anna', 'AP photo', '(Getty Images)', 'xshutterstock', 'by dpa'],
  contact: ['Contact us', 'Skip to text', 'Menu', 'Book a room', 'Anzeige'],
}

/** These must begin a text, by their patterns. */
const onlyFirst = ['byline', 'tags', 'credit']

test('every kind of phrase is found, whatever stands around it', () => {
  for (const [name, texts] of Object.entries(said)) {
    const around = onlyFirst.includes(name) ? texts : texts.map((text) => `Zo, ${text} .`)
    const bit = phraseNames.indexOf(name)
    const missed = [...texts, ...around].filter((text) => ((phrasesOf(text) >> bit) & 1) === 0)
    expect(missed).toEqual([])
  }
})

test('a plain sentence says none of them', () => {
  expect(phrasesOf('De brug over de rivier gaat na jaren weer open voor verkeer.')).toBe(0)
})
