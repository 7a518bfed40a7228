import { normalizeUrl, sameSite } from '../../kernel/url.ts'
import type { Page } from '../page.ts'
import { isCalendarTrap } from '../links/calendar-trap.ts'

export interface NextLink {
  url: string
  /** Steps out of what is coming up, in a calendar without end. */
  calendarTrap: boolean
  evidence: string
}

const NEXT_TEXT =
  /^\W*(?:next(?: page| results?| month| week)?|older(?: posts| entries)?|volgende(?: pagina| maand| week)?|verder|meer (?:laden|resultaten|items|activiteiten)|load more|show more|toon meer|nächste(?: seite)?|weiter|suivante?s?|page suivante)\W*$/iu
const NEXT_SIGN = /^\s*(?:›|»|>|>>|→|⟩|❯)\s*$/u
const PAGE_PARAM =
  /[?&](?:page|paged|pagina|p|pg|start|offset|tx_[^=]*page[^=]*)=(\d+)|\/(?:page|pagina|seite)\/(\d+)(?:\/|$)/i
const MAX_LINKS = 20

/** The pages after this one: what the page calls next, else the number after its own. */
export function nextLinks(page: Page): NextLink[] {
  const own = normalizeUrl(page.url) ?? page.url
  const found = new Map<string, NextLink>()
  const add = (href: string, evidence: string): void => {
    const url = normalizeUrl(href, page.scan.baseUrl)
    if (url === null || url === own || found.has(url) || !sameSite(url, page.url)) return
    found.set(url, { url, calendarTrap: isCalendarTrap(url, page.fetchedAt), evidence })
  }
  for (const link of page.scan.linkTags)
    if (hasToken(link.rel, 'next')) add(link.href, 'link rel=next')
  for (const link of page.scan.links) {
    if (hasToken(link.rel, 'next')) add(link.href, 'rel=next')
    else if (NEXT_TEXT.test(link.text)) add(link.href, `text: ${link.text.trim().slice(0, 40)}`)
    else if (NEXT_SIGN.test(link.text)) add(link.href, `sign: ${link.text.trim()}`)
  }
  const wanted = pageNumber(page.url) + 1
  for (const link of page.scan.links) {
    const isNumber = /^\D{0,10}\d{1,4}\D{0,3}$/.test(link.text.trim())
    if (isNumber && numberIn(link.href) === wanted && samePath(link.href, page.url))
      add(link.href, `page ${wanted}`)
  }
  return [...found.values()].slice(0, MAX_LINKS)
}

function hasToken(rel: string, token: string): boolean {
  return rel !== '' && rel.toLowerCase().split(/\s+/).includes(token)
}

// Pages count from 1, some from 0: without a number this is the first.
function pageNumber(url: string): number {
  return numberIn(url) ?? 1
}

function numberIn(url: string): number | null {
  const match = PAGE_PARAM.exec(url)
  const number = match?.[1] ?? match?.[2]
  return number === undefined ? null : Number(number)
}

function samePath(a: string, b: string): boolean {
  const bare = (url: string): string =>
    url
      .replace(/[?#].*$/, '')
      .replace(/\/(?:page|pagina|seite)\/\d+\/?$/i, '')
      .replace(/\/$/, '')
  return bare(a) === bare(b)
}
