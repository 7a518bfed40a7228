/** One property of a calendar file. */
export interface ContentLine {
  name: string
  params: Record<string, string>
  value: string
}

export interface Component {
  name: string
  lines: ContentLine[]
  children: Component[]
}

const MAX_DEPTH = 12

/** Reads the components of a calendar file. Forgiving: broken folds, stray lines and missing ENDs lose nothing else. */
export function readComponents(text: string): Component {
  const root: Component = { name: '', lines: [], children: [] }
  const open: Component[] = [root]
  for (const raw of unfold(text)) {
    const line = parseLine(raw)
    if (line === null) continue
    const current = open.at(-1) ?? root
    if (line.name === 'BEGIN') {
      begin(open, line.value.trim().toUpperCase())
    } else if (line.name === 'END') {
      end(open, line.value.trim().toUpperCase())
    } else {
      current.lines.push(line)
    }
  }
  return root
}

function begin(open: Component[], name: string): void {
  // An event inside an event means that its END was forgotten.
  if (name === 'VEVENT' && open.some((component) => component.name === 'VEVENT'))
    end(open, 'VEVENT')
  const parent = open.at(-1)
  const component: Component = { name, lines: [], children: [] }
  parent?.children.push(component)
  if (open.length < MAX_DEPTH) open.push(component)
}

function end(open: Component[], name: string): void {
  const index = open.map((component) => component.name).lastIndexOf(name)
  if (index > 0) open.length = index
}

/** Joins folded lines. */
function unfold(text: string): string[] {
  const joined: string[] = []
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    const last = joined.length - 1
    const previous = joined[last]
    if (previous !== undefined && (line.startsWith(' ') || line.startsWith('\t'))) {
      joined[last] = previous + line.slice(1)
    } else if (previous !== undefined && isSoftBreak(previous)) {
      joined[last] = previous.slice(0, -1) + line
    } else if (line.trim() !== '') {
      joined.push(line)
    }
  }
  return mendBreaks(joined)
}

const PROPERTY = /^\s*[A-Za-z][A-Za-z0-9.-]*\s*[;:]/
const FREE_TEXT = /^\s*(?:SUMMARY|DESCRIPTION|LOCATION|COMMENT|X-ALT-DESC)\b/i
const STRAY_PROPERTY = /^[A-Z][A-Z0-9-]*=/

/** A line that cannot be a property continues the text before it: its writer forgot to fold. */
function mendBreaks(lines: string[]): string[] {
  const mended: string[] = []
  for (const line of lines) {
    const previous = mended.at(-1)
    if (PROPERTY.test(line) && line.includes(':')) mended.push(line)
    else if (previous !== undefined && FREE_TEXT.test(previous) && !STRAY_PROPERTY.test(line)) {
      mended[mended.length - 1] = `${previous}\\n${line}`
    }
  }
  return mended
}

function isSoftBreak(line: string): boolean {
  return line.endsWith('=') && /^[^:]*ENCODING=QUOTED-PRINTABLE/i.test(line)
}

function parseLine(raw: string): ContentLine | null {
  const head = /^\s*([A-Za-z0-9.-]+)\s*/.exec(raw)
  if (head === null) return null
  const params: Record<string, string> = {}
  let i = head[0].length
  while (raw[i] === ';') {
    const stop = endOfParam(raw, i + 1)
    const [key = '', ...rest] = raw.slice(i + 1, stop).split('=')
    params[key.trim().toUpperCase()] = rest.join('=').replaceAll('"', '').trim()
    i = stop
  }
  if (raw[i] !== ':') return null
  const name = (head[1] ?? '').toUpperCase()
  const value = raw.slice(i + 1)
  return { name: name.slice(name.lastIndexOf('.') + 1), params, value: decode(value, params) }
}

function endOfParam(raw: string, from: number): number {
  let quoted = false
  for (let i = from; i < raw.length; i++) {
    if (raw[i] === '"') quoted = !quoted
    else if (!quoted && (raw[i] === ';' || raw[i] === ':')) return i
  }
  // A quote that never closes: take the first colon after all.
  const colon = raw.indexOf(':', from)
  return colon === -1 ? raw.length : colon
}

function decode(value: string, params: Record<string, string>): string {
  if (params['ENCODING']?.toUpperCase() !== 'QUOTED-PRINTABLE') return value
  const bytes: number[] = []
  for (let i = 0; i < value.length; i++) {
    const hex = value[i] === '=' ? /^[0-9A-Fa-f]{2}/.exec(value.slice(i + 1, i + 3)) : null
    if (hex === null) {
      bytes.push(...Buffer.from(value[i] ?? '', 'utf8'))
    } else {
      bytes.push(Number.parseInt(hex[0], 16))
      i += 2
    }
  }
  const latin = /8859-1|1252/.test(params['CHARSET'] ?? '')
  return Buffer.from(bytes).toString(latin ? 'latin1' : 'utf8')
}
