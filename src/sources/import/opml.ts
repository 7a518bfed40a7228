import { SaxesParser } from 'saxes'
import { messageOf } from '../../kernel/errors.ts'
import { UnreadableFile, decodeUtf8, type ImportRow } from './read.ts'

/** Subscriptions of a feed reader: every outline with an address is a source, its folders become tags. */
export function readOpml(bytes: Uint8Array): ImportRow[] {
  const rows: ImportRow[] = []
  const folders: (string | null)[] = []
  let sawOpml = false
  const parser = new SaxesParser<{ xmlns: false; position: true }>({ xmlns: false, position: true })
  parser.on('opentag', (tag) => {
    if (tag.name.toLowerCase() === 'opml') sawOpml = true
    if (tag.name.toLowerCase() !== 'outline') return
    const at = lowerCased(tag.attributes)
    const feed = at['xmlurl'] ?? null
    const url = at['htmlurl'] ?? feed ?? at['url'] ?? null
    const name = at['title'] ?? at['text'] ?? url
    if (url !== null) {
      rows.push({
        line: parser.line,
        cells: {
          name,
          url,
          ...(feed !== null && { feed_urls: [feed] }),
          tags: folders.filter((folder) => folder !== null),
        },
      })
    }
    folders.push(url === null ? name : null)
  })
  parser.on('closetag', (tag) => {
    if (tag.name.toLowerCase() === 'outline') folders.pop()
  })
  try {
    parser.write(decodeUtf8(bytes)).close()
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile(`not a readable OPML file: ${messageOf(error)}`, { cause: error })
  }
  if (!sawOpml) throw new UnreadableFile('not an OPML file: there is no <opml> element')
  return rows
}

function lowerCased(attributes: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), value]),
  )
}
