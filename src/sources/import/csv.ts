import { parse } from 'csv-parse/sync'
import { messageOf } from '../../kernel/errors.ts'
import { UnreadableFile, decodeUtf8, type ImportRow } from './read.ts'

/** Comma, semicolon or tab: whichever the heading uses. */
export function readCsv(bytes: Uint8Array): ImportRow[] {
  const text = decodeUtf8(bytes)
  try {
    const records: { record: Record<string, string>; info: { lines: number } }[] = parse(text, {
      columns: true,
      bom: true,
      trim: true,
      info: true,
      skip_empty_lines: true,
      relax_column_count: true,
      delimiter: delimiterOf(text),
      max_record_size: 1_000_000,
    })
    return records.map(({ record, info }) => ({ line: info.lines, cells: record }))
  } catch (error) {
    throw new UnreadableFile(`not a readable CSV file: ${messageOf(error)}`, { cause: error })
  }
}

function delimiterOf(text: string): string {
  const heading = text.slice(0, text.search(/\r|\n|$/))
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: heading.split(mark).length }))
  return counts.reduce((best, entry) => (entry.count > best.count ? entry : best)).mark
}
