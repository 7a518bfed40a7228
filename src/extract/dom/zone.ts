import type { Element } from 'domhandler'

export type Zone = 'main' | 'nav' | 'footer' | 'aside' | 'form'

const NAV =
  /(^|[\s_-])(nav|navbar|navigation|breadcrumbs?|(main|site|top|mega|uber|primary|mobile|header|footer)-?_?menu|menu-item|cookie[a-z]*|skip-links?|share|sharing|social|pagination|pager)([\s_-]|$)/i
const FOOTER = /(^|[\s_-])(site-?footer|page-?footer|footer|colophon|copyright)([\s_-]|$)/i
const ASIDE = /(^|[\s_-])(sidebar|widget-area|related)([\s_-]|$)/i

/** The part of the page an element opens; everything inside inherits it until something says otherwise. */
export function zoneOf(element: Element, outer: Zone): Zone {
  const { name, attribs } = element
  if (name === 'main' || attribs['role'] === 'main') return 'main'
  if (outer !== 'main') return outer
  if (name === 'nav' || attribs['role'] === 'navigation') return 'nav'
  if (name === 'footer' && !insideItem(element)) return 'footer'
  if (name === 'aside') return 'aside'
  const label = `${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`
  if (label.length < 2 || label.length > 500 || name === 'body' || name === 'html') return outer
  if (NAV.test(label)) return 'nav'
  if (FOOTER.test(label) && !insideItem(element)) return 'footer'
  return ASIDE.test(label) ? 'aside' : outer
}

// A card's own footer belongs to the card.
function insideItem(element: Element): boolean {
  let parent = element.parent
  for (let up = 0; up < 6 && parent !== null && 'name' in parent; up += 1) {
    if (['article', 'li', 'tr', 'td', 'section'].includes(parent.name)) return true
    parent = parent.parent
  }
  return false
}
