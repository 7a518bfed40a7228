import type { Page } from '../page.ts'
import { FINGERPRINTS, type Cms, type Fingerprint } from './cms-fingerprints.ts'

export interface CmsMatch {
  cms: Cms
  /** 0 to 1. */
  confidence: number
  /** What gave it away: `meta generator: WordPress 6.4`. */
  evidence: string
}

const HEAD_CHARS = 60_000

/** The system that made the page; the most specific one when several layers show. */
export function detectCms(page: Page): CmsMatch | null {
  const clues = cluesOf(page)
  let best: CmsMatch | null = null
  for (const fingerprint of FINGERPRINTS) {
    const match = matchOf(fingerprint, clues)
    if (match !== null && (best === null || match.confidence > best.confidence)) best = match
  }
  return best
}

interface Clues {
  generator: string
  addresses: string[]
  markup: string
}

function cluesOf(page: Page): Clues {
  const { metas, scripts, linkTags } = page.scan
  const generators = metas.filter((meta) => meta.key === 'generator').map((meta) => meta.content)
  return {
    generator: generators.join(' | '),
    addresses: [
      ...scripts.flatMap((script) => script.src ?? []),
      ...linkTags.map((link) => link.href),
    ].slice(0, 400),
    markup: page.body.slice(0, HEAD_CHARS) + middleOf(page.body),
  }
}

// Class names of the content show up below a long head.
function middleOf(body: string): string {
  const from = Math.floor(body.length / 2)
  return body.length > HEAD_CHARS * 2 ? body.slice(from, from + HEAD_CHARS) : body.slice(HEAD_CHARS)
}

function matchOf(fingerprint: Fingerprint, clues: Clues): CmsMatch | null {
  const { cms, generator, address, markup, layer } = fingerprint
  const bonus = layer === 'plugin' ? 0.02 : 0
  if (generator?.test(clues.generator))
    return {
      cms,
      confidence: 0.97 + bonus,
      evidence: `meta generator: ${clues.generator.slice(0, 80)}`,
    }
  const source =
    address === undefined ? undefined : clues.addresses.find((url) => address.test(url))
  if (source !== undefined)
    return { cms, confidence: 0.85 + bonus * 7, evidence: `address: ${source.slice(0, 120)}` }
  const found = markup?.exec(clues.markup)
  if (found === null || found === undefined) return null
  return { cms, confidence: 0.75 + bonus * 12, evidence: `markup: ${found[0].slice(0, 80)}` }
}
