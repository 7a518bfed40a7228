import { unzipSync } from 'fflate'
import { SaxesParser } from 'saxes'
import { messageOf } from '../../kernel/errors.ts'
import { UnreadableFile, type ImportRow } from './read.ts'

const largestPart = 100 * 1024 * 1024

/** The first sheet of an Excel workbook; its first row names the columns. */
export function readXlsx(bytes: Uint8Array): ImportRow[] {
  const parts = unzip(bytes)
  const sheet = Object.keys(parts)
    .filter((name) => /^xl\/worksheets\/sheet\d+\.xml$/.test(name))
    .sort(byNumber)[0]
  if (sheet === undefined) throw new UnreadableFile('not an Excel workbook: it holds no sheet')
  const strings = readSharedStrings(parts['xl/sharedStrings.xml'])
  const rows = readSheet(parts[sheet] ?? new Uint8Array(), strings)
  const [heading, ...rest] = rows
  if (heading === undefined) return []
  return rest
    .map(({ line, cells }) => ({
      line,
      cells: Object.fromEntries(
        [...heading.cells].map(([column, name]) => [name, cells.get(column) ?? '']),
      ),
    }))
    .filter((row) => Object.values(row.cells).some((value) => value !== ''))
}

function unzip(bytes: Uint8Array): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, {
      filter: (file) => {
        if (file.originalSize > largestPart) throw new Error(`${file.name} is larger than allowed`)
        return /^xl\/(worksheets\/sheet\d+|sharedStrings)\.xml$/.test(file.name)
      },
    })
  } catch (error) {
    throw new UnreadableFile(`not a readable Excel workbook: ${messageOf(error)}`, { cause: error })
  }
}

function readSharedStrings(part: Uint8Array | undefined): string[] {
  const strings: string[] = []
  if (part === undefined) return strings
  let current: string | null = null
  let inText = false
  parseXml(part, {
    open: (name) => {
      if (name === 'si') current = ''
      if (name === 't') inText = true
    },
    text: (text) => {
      if (inText && current !== null) current += text
    },
    close: (name) => {
      if (name === 't') inText = false
      if (name === 'si') strings.push(current ?? '')
    },
  })
  return strings
}

interface SheetRow {
  line: number
  cells: Map<string, string>
}

function readSheet(part: Uint8Array, strings: string[]): SheetRow[] {
  const rows: SheetRow[] = []
  let cell: { column: string; type: string; text: string } | null = null
  let inValue = false
  parseXml(part, {
    open: (name, attributes) => {
      if (name === 'row')
        rows.push({ line: Number(attributes['r'] ?? rows.length + 1), cells: new Map() })
      if (name === 'c')
        cell = {
          column: (attributes['r'] ?? '').replace(/\d+$/, ''),
          type: attributes['t'] ?? 'n',
          text: '',
        }
      if (name === 'v' || name === 't') inValue = true
    },
    text: (text) => {
      if (inValue && cell !== null) cell.text += text
    },
    close: (name) => {
      if (name === 'v' || name === 't') inValue = false
      if (name !== 'c' || cell === null) return
      const value =
        cell.type === 's'
          ? (strings[Number(cell.text)] ?? '')
          : cell.type === 'b'
            ? String(cell.text === '1')
            : cell.text
      if (value.trim() !== '') rows.at(-1)?.cells.set(cell.column, value.trim())
      cell = null
    },
  })
  return rows.filter((row) => row.cells.size > 0)
}

interface XmlHandlers {
  open(name: string, attributes: Record<string, string>): void
  text(text: string): void
  close(name: string): void
}

function parseXml(part: Uint8Array, handlers: XmlHandlers): void {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false })
  parser.on('opentag', (tag) => handlers.open(localName(tag.name), tag.attributes))
  parser.on('text', handlers.text)
  parser.on('closetag', (tag) => handlers.close(localName(tag.name)))
  try {
    parser.write(new TextDecoder().decode(part)).close()
  } catch (error) {
    throw new UnreadableFile(`not a readable Excel workbook: ${messageOf(error)}`, { cause: error })
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function byNumber(a: string, b: string): number {
  return Number(/\d+/.exec(a)?.[0]) - Number(/\d+/.exec(b)?.[0])
}
