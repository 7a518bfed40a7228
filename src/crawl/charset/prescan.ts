// "Prescan a byte stream to determine its encoding" of the HTML standard, without its limit of 1024 bytes:
// browsers restart on a later declaration, so pages with one exist. Text is one character per byte.

/** The encoding labels of `<meta>` tags, first one first. */
export function* prescanMeta(text: string): Generator<string> {
  let at = 0
  while (at < text.length) {
    const open = text.indexOf('<', at)
    if (open === -1) return
    if (text.startsWith('<!--', open)) {
      const close = text.indexOf('-->', open + 2)
      if (close === -1) return
      at = close + 3
    } else if (/^<meta[\t\n\f\r /]$/i.test(text.slice(open, open + 6))) {
      const { attributes, end, closed } = readAttributes(text, open + 6)
      const label = closed ? metaLabel(attributes) : null
      if (label !== null) yield label
      at = end
    } else if (/^<\/?[a-z]$/i.test(text.slice(open, open + (text[open + 1] === '/' ? 3 : 2)))) {
      const name = text.slice(open).search(/[\t\n\f\r >]/)
      if (name === -1) return
      at = readAttributes(text, open + name).end
    } else if (/[!/?]/.test(text[open + 1] ?? '')) {
      const close = text.indexOf('>', open)
      if (close === -1) return
      at = close + 1
    } else {
      at = open + 1
    }
  }
}

function metaLabel(attributes: Map<string, string>): string | null {
  const charset = attributes.get('charset')
  if (charset !== undefined) return charset
  if (attributes.get('http-equiv')?.toLowerCase() !== 'content-type') return null
  const content = attributes.get('content') ?? ''
  const match =
    /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"'][^\t\n\f\r ;]*))/i.exec(
      content,
    )
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? null
}

interface Tag {
  attributes: Map<string, string>
  end: number
  closed: boolean
}

/** Attributes from a place inside a tag to its `>`. */
function readAttributes(text: string, from: number): Tag {
  const attributes = new Map<string, string>()
  let at = from
  for (;;) {
    at = skip(text, at, /[^\t\n\f\r /]/g)
    if (at >= text.length) return { attributes, end: at, closed: false }
    if (text[at] === '>') return { attributes, end: at + 1, closed: true }
    // A name may start with `=`.
    const nameEnd = skip(text, at + 1, /[\t\n\f\r />=]/g)
    const name = text.slice(at, nameEnd).toLowerCase()
    at = skip(text, nameEnd, /[^\t\n\f\r ]/g)
    let value = ''
    if (text[at] === '=') {
      const start = skip(text, at + 1, /[^\t\n\f\r ]/g)
      const quote = text[start]
      if (quote === '"' || quote === "'") {
        const close = text.indexOf(quote, start + 1)
        if (close === -1) return { attributes, end: text.length, closed: false }
        value = text.slice(start + 1, close)
        at = close + 1
      } else {
        at = skip(text, start, /[\t\n\f\r >]/g)
        value = text.slice(start, at)
      }
    }
    if (!attributes.has(name)) attributes.set(name, value)
  }
}

function skip(text: string, from: number, until: RegExp): number {
  until.lastIndex = from
  return until.exec(text)?.index ?? text.length
}
