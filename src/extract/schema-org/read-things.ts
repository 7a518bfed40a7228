import { readJsonLd } from '../json-ld/read-json-ld.ts'
import { readMicrodata } from '../microdata/read-microdata.ts'
import { readMicroformats } from '../microformats/read-microformats.ts'
import { PageTooComplex, type Page } from '../page.ts'
import { readRdfa } from '../rdfa/read-rdfa.ts'
import type { Thing } from './thing.ts'

// Bounded by what stands around a class name, so that style sheets do not count.
const MICROFORMAT = /["'\s=](?:h-event|vevent|h-entry|hentry)["'\s>]/

/** The structured data of a page in every syntax; a tree is only built when the page shows signs of needing one. */
export function readThings(page: Page): Thing[] {
  const things = readJsonLd(page)
  const { hasMicrodata, hasRdfa } = page.scan
  const hasMicroformats = MICROFORMAT.test(page.body)
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
