// Pages that are drawn by their scripts: an empty place to draw in, and next to nothing to read.

import { visibleText } from '../../kernel/visible-text.ts'

const roots =
  /<(div|main|section|ul)\b[^<>]{0,500}\bid=["']?(?:app|root|__next|__nuxt|___gatsby|svelte|main-app|react-root|app-root|agenda|events|calendar)\b[^<>]{0,500}>([\s\S]{0,3000}?)<\/\1>/gi
const customRoots = /<(app-root|my-app|ng-app)\b[^<>]{0,500}>([\s\S]{0,1000}?)<\/\1>/gi
const asksForScripts = /<noscript>[\s\S]{0,400}?(?:javascript|scripts?)[\s\S]{0,400}?<\/noscript>/i
const largestShell = 300_000
const fewWords = 25
const hardlyAnyText = 400
/** Enough of the text to tell a bare page. */
const textSample = 4000

/** True when a browser would show what the markup alone does not have. */
export function looksClientRendered(html: string): boolean {
  if (html.length > largestShell || !/<script/i.test(html)) return false
  const places = [...html.matchAll(roots), ...html.matchAll(customRoots)]
  const emptyPlace = places.some((match) => wordsIn(match[2] ?? '') === 0)
  const text = visibleText(html, textSample)
  if (emptyPlace && asksForScripts.test(html)) return true
  const barePage = text.length < hardlyAnyText || text.split(' ').length < fewWords
  return barePage && (places.length > 0 || asksForScripts.test(html))
}

function wordsIn(markup: string): number {
  const text = visibleText(markup, largestShell)
  // A spinner's "Loading…" is nobody's content.
  return /^(?:loading|laden|even geduld|please wait|bezig met laden)?[\s.…]*$/i.test(text)
    ? 0
    : text.split(' ').length
}
