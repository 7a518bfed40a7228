import { decodeHTML, decodeHTMLAttribute } from 'entities'
import { createAreaTracker } from './scan-areas.ts'
import { readMarkup } from './scan-markup.ts'
import { nameIn } from './scan-names.ts'
import type { JsonAttribute, LinkTag, MetaTag, PageLink, ScriptTag } from './scan.ts'

const MAX_TITLE = 1_000
const MAX_LINK_TEXT = 300
const MAX_LINKS = 20_000
const MAX_METAS = 500
const MAX_SCRIPTS = 2_000
const MAX_JSON_ATTRIBUTES = 2_000
const MIN_JSON_ATTRIBUTE = 16
const MAX_ATTRIBUTES = 100

const UNEVEN = /^\s|\s$|\s\s|[^\S ]/

/** What the tokens of a page yield, before any URL is resolved. */
export interface Collected {
  title: string | null
  lang: string | null
  base: string | null
  metas: MetaTag[]
  linkTags: LinkTag[]
  scripts: ScriptTag[]
  anchors: PageLink[]
  jsonAttributes: JsonAttribute[]
  /** Attributes of microdata and RDFa stand somewhere on the page. */
  hasMicrodata: boolean
  hasRdfa: boolean
}

/** Reads the markup once; only the attributes and texts somebody asks for become strings. */
export function collect(html: string): Collected {
  const found: Collected = {
    title: null,
    lang: null,
    base: null,
    metas: [],
    linkTags: [],
    scripts: [],
    anchors: [],
    jsonAttributes: [],
    hasMicrodata: false,
    hasRdfa: false,
  }
  const areas = createAreaTracker()

  let tag = ''
  let wanted = false
  let attrs: Record<string, string> = {}
  let attrCount = 0
  let role: string | undefined
  let id: string | undefined
  let foreign = 0
  let anchor: PageLink | null = null
  let script: ScriptTag | null = null
  let title: string | null = null

  function take(): void {
    switch (tag) {
      case 'a':
      case 'area': {
        closeAnchor()
        const href = attrs['href']
        if (href === undefined || found.anchors.length >= MAX_LINKS) return
        const link = { href, text: '', rel: attrs['rel'] ?? '', area: areas.current() }
        found.anchors.push(link)
        if (tag === 'a') anchor = link
        else link.text = attrs['alt'] ?? ''
        return
      }
      case 'img':
        if (anchor !== null && attrs['alt'] !== undefined) addText(attrs['alt'])
        return
      case 'meta':
        takeMeta(attrs, found.metas)
        return
      case 'link':
        takeLink(attrs, found.linkTags)
        return
      case 'base':
        found.base ??= attrs['href'] ?? null
        return
      case 'html':
        found.lang ??= attrs['lang'] ?? attrs['xml:lang'] ?? null
        return
      case 'script':
        if (found.scripts.length >= MAX_SCRIPTS) return
        script = {
          type: (attrs['type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '',
          id: attrs['id'] ?? null,
          src: attrs['src'] ?? null,
          attrs,
          text: '',
        }
        found.scripts.push(script)
    }
  }

  function closeAnchor(): void {
    if (anchor === null) return
    if (UNEVEN.test(anchor.text)) anchor.text = anchor.text.replace(/\s+/g, ' ').trim()
    anchor = null
  }

  function addText(text: string): void {
    if (script !== null) script.text += text
    else if (title !== null) title = title.length < MAX_TITLE ? title + text : title
    else if (anchor !== null && anchor.text.length < MAX_LINK_TEXT) {
      anchor.text += text.slice(0, MAX_LINK_TEXT)
    }
  }

  function closeTitle(): void {
    if (title !== null) found.title ??= title.replace(/\s+/g, ' ').trim() || null
    title = null
  }

  readMarkup(html, {
    openName(name) {
      tag = name
      wanted = hasReadAttributes(name)
      if (wanted) attrs = {}
      attrCount = 0
      role = undefined
      id = undefined
      if (name === 'title' && found.title === null && foreign === 0) title = ''
      return wanted
    },
    attribute(nameStart, nameEnd, valueStart, valueEnd) {
      const name = nameIn(html, nameStart, nameEnd)
      if (name === 'itemscope' || name === 'itemtype') found.hasMicrodata = true
      else if (name === 'typeof') found.hasRdfa = true
      const place = name === 'id' || name === 'role'
      const kept = attrCount < MAX_ATTRIBUTES && (place || (wanted && isRead(tag, name)))
      if (!kept && !mayHoldJson(html, valueStart, valueEnd, wanted)) return
      const value = decoded(html.slice(valueStart, valueEnd), decodeHTMLAttribute)
      if (kept) {
        if (name === 'id') id ??= value
        else if (name === 'role') role ??= value
        if (wanted && attrs[name] === undefined) {
          attrs[name] = value
          attrCount++
        }
      }
      if (value.length >= MIN_JSON_ATTRIBUTE && looksLikeJson(value))
        takeJsonAttribute(tag, name, value, found)
    },
    openEnd(selfClosing) {
      if (tag === 'svg' || tag === 'math') {
        if (!selfClosing) foreign++
      } else if (wanted) take()
      // Elsewhere a slash at the end of a tag says nothing.
      if (!selfClosing || foreign === 0) areas.open(tag, role, id)
    },
    close(name) {
      if (name === 'a') closeAnchor()
      else if (name === 'script') script = null
      else if (name === 'title') closeTitle()
      else if (name === 'svg' || name === 'math') foreign = Math.max(0, foreign - 1)
      areas.close(name)
    },
    text(start, end, coded) {
      if (script === null && anchor === null && title === null) return
      const text = html.slice(start, end)
      addText(coded ? decoded(text, decodeHTML) : text)
    },
    isForeign: () => foreign > 0,
  })
  closeAnchor()
  closeTitle()
  return found
}

function hasReadAttributes(tag: string): boolean {
  switch (tag) {
    case 'a':
    case 'area':
    case 'link':
    case 'meta':
    case 'base':
    case 'script':
    case 'html':
    case 'img':
    case 'body':
    case 'astro-island':
      return true
    default:
      return false
  }
}

function decoded(text: string, decode: (text: string) => string): string {
  return text.includes('&') ? decode(text) : text
}

function takeMeta(attrs: Record<string, string>, metas: MetaTag[]): void {
  const content = attrs['content']
  const key = attrs['property'] ?? attrs['name'] ?? attrs['itemprop'] ?? attrs['http-equiv']
  if (content === undefined || key === undefined || metas.length >= MAX_METAS) return
  metas.push({ key: key.trim().toLowerCase(), content: content.trim() })
}

function takeLink(attrs: Record<string, string>, linkTags: LinkTag[]): void {
  const href = attrs['href']
  if (href === undefined || attrs['rel'] === undefined || linkTags.length >= MAX_METAS) return
  linkTags.push({
    rel: attrs['rel'].trim().toLowerCase(),
    href,
    type: attrs['type']?.trim().toLowerCase() ?? null,
    title: attrs['title'] ?? null,
    hreflang: attrs['hreflang'] ?? null,
  })
}

/** Of the tags that stand on a page by the hundred only these are read. */
function isRead(tag: string, name: string): boolean {
  if (tag === 'a') return name === 'href' || name === 'rel'
  return tag !== 'img' || name === 'alt'
}

function mayHoldJson(html: string, start: number, end: number, wanted: boolean): boolean {
  if (end - start < MIN_JSON_ATTRIBUTE) return false
  const first = html.charCodeAt(start)
  return first === 0x7b || first === 0x5b || (wanted && (first <= 0x20 || first === 0x26))
}

function looksLikeJson(value: string): boolean {
  const code = value.charCodeAt(0)
  if (code > 0x20 && code < 0x80) return code === 0x7b || code === 0x5b
  const first = value.trimStart().charAt(0)
  return first === '{' || first === '['
}

function takeJsonAttribute(tag: string, name: string, value: string, found: Collected): void {
  if (found.jsonAttributes.length >= MAX_JSON_ATTRIBUTES) return
  found.jsonAttributes.push({ tag, name, value })
}
