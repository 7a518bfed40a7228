/** One spelling for rules and addresses: escapes in upper case, everything outside ASCII escaped. */
export function escapePath(text: string): string {
  return text
    .replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(/[\u0080-\uFFFF]+/g, encodeURIComponent)
}
