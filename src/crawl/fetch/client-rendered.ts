// Pages that are drawn by their scripts: an empty place to draw in, and next to nothing to read.

const roots =
  /<(div|main|section|ul)\b[^>]*\bid=["']?(?:app|root|__next|__nuxt|___gatsby|svelte|main-app|react-root|app-root|agenda|events|calendar)\b[^>]*>([\s\S]{0,3000}?)<\/\1>/gi
const customRoots = /<(app-root|my-app|ng-app)\b[^>]*>([\s\S]{0,1000}?)<\/\1>/gi
const asksForScripts = /<noscript>[\s\S]{0,400}?(?:javascript|scripts?)[\s\S]{0,400}?<\/noscript>/i
const largestShell = 300_000
const fewWords = 25
const hardlyAnyText = 400

/** True when a browser would show what the markup alone does not have. */
export function looksClientRendered(html: string): boolean {
  if (html.length > largestShell || !/<script/i.test(html)) return false
  const places = [...html.matchAll(roots), ...html.matchAll(customRoots)]
  const emptyPlace = places.some((match) => wordsIn(match[2] ?? '') === 0)
  const text = textOf(html)
  if (emptyPlace && asksForScripts.test(html)) return true
  const barePage = text.length < hardlyAnyText || text.split(' ').length < fewWords
  return barePage && (places.length > 0 || asksForScripts.test(html))
}

function wordsIn(markup: string): number {
  const text = textOf(markup)
  // A spinner's "Loading…" is nobody's content.
  return /^(?:loading|laden|even geduld|please wait|bezig met laden)?[\s.…]*$/i.test(text)
    ? 0
    : text.split(' ').length
}

function textOf(markup: string): string {
  return markup
    .replaceAll(
      /<!--[\s\S]*?-->|<(script|style|noscript|template|svg)\b[\s\S]*?<\/\1>|<[^>]+>/gi,
      ' ',
    )
    .replaceAll(/\s+/g, ' ')
    .trim()
}
