export const importFormats = ['csv', 'xlsx', 'opml', 'json'] as const
export type ImportFormat = (typeof importFormats)[number]

/** One line of an import file: where it stands, and its cells by column name as written. */
export interface ImportRow {
  line: number
  cells: Record<string, unknown>
}

/** The file cannot be read at all; a row that is wrong is reported by its line instead. */
export class UnreadableFile extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'UnreadableFile'
  }
}

type Reader = (bytes: Uint8Array) => ImportRow[]

const readers: Record<ImportFormat, () => Promise<Reader>> = {
  csv: async () => (await import('./csv.ts')).readCsv,
  xlsx: async () => (await import('./xlsx.ts')).readXlsx,
  opml: async () => (await import('./opml.ts')).readOpml,
  json: async () => (await import('./json.ts')).readJson,
}

export const maxImportRows = 100_000

export async function readImport(format: ImportFormat, bytes: Uint8Array): Promise<ImportRow[]> {
  const read = await readers[format]()
  const rows = read(bytes)
  if (rows.length === 0) throw new UnreadableFile('the file holds no rows')
  if (rows.length > maxImportRows)
    throw new UnreadableFile(
      `the file holds ${rows.length} rows; at most ${maxImportRows} fit in one import`,
    )
  return rows
}

/** What a file is, from its name, its declared type, or its first bytes. */
export function guessFormat(contentType: string, bytes: Uint8Array): ImportFormat {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return 'xlsx'
  if (contentType.includes('json')) return 'json'
  if (contentType.includes('xml') || contentType.includes('opml')) return 'opml'
  const start = new TextDecoder('latin1')
    .decode(bytes.subarray(0, 200))
    .trimStart()
    .replace(/^\u00ef\u00bb\u00bf/, '')
  if (start.startsWith('[') || start.startsWith('{')) return 'json'
  return start.startsWith('<') ? 'opml' : 'csv'
}

/** Text of a file that must be UTF-8; a wrong byte is named by its line, because the file is probably from elsewhere. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const text = new TextDecoder('utf-8').decode(bytes)
    const line = text.slice(0, text.indexOf('\ufffd')).split('\n').length
    throw new UnreadableFile(
      `line ${line} is not UTF-8 text; save the file as UTF-8 and try again`,
      { cause: error },
    )
  }
}
