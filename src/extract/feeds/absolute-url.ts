/** As a browser would resolve it; as written when there is nothing to resolve against. */
export function absoluteUrl(raw: string | null, base: string | undefined): string | null {
  const url = raw?.trim() ?? ''
  if (url === '') return null
  try {
    return new URL(url, base).href
  } catch {
    return url
  }
}
