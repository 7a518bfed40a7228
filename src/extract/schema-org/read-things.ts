import { readJsonLd } from '../json-ld/read-json-ld.ts'
import { readMicrodata } from '../microdata/read-microdata.ts'
import { readMicroformats } from '../microformats/read-microformats.ts'
import { PageTooComplex, type Page } from '../page.ts'
import { readRdfa } from '../rdfa/read-rdfa.ts'
import type { Thing } from './thing.ts'

const MICROFORMAT = /class\s*=\s*["']?[^"'<>]{0,500}\b(?:h-event|vevent|h-entry|hentry)\b/i

/** The structured data of a page in every syntax; a tree is only built when the page shows signs of needing one. */
export function readThings(page: Page): Thing[] {
  const things = readJsonLd(page)
  const { body } = page
  const hasMicrodata = /\sitem(?:scope|type)\b/i.test(body)
  const hasRdfa = /\stypeof\s*=/i.test(body)
  const hasMicroformats =
    /\b(?:h-event|vevent|h-entry|hentry)\b/.test(body) && MICROFORMAT.test(body)
  if (!hasMicrodata && !hasRdfa && !hasMicroformats) return things
  try {
    if (hasMicrodata) things.push(...readMicrodata(page.dom, page.scan.baseUrl))
    if (hasRdfa) things.push(...readRdfa(page.dom, page.scan.baseUrl))
    if (hasMicroformats) things.push(...readMicroformats(page.dom, page.scan.baseUrl))
  } catch (error) {
    if (!(error instanceof PageTooComplex)) throw error
  }
  return things
}
