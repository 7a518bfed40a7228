import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { createAreaTracker } from './scan-areas.ts'
import type { JsonAttribute, LinkTag, MetaTag, PageLink, ScriptTag } from './scan.ts'

const MAX_TITLE = 1_000
const MAX_LINK_TEXT = 300
const MAX_LINKS = 20_000
const MAX_METAS = 500
const MAX_SCRIPTS = 2_000
const MAX_JSON_ATTRIBUTES = 2_000
const MIN_JSON_ATTRIBUTE = 16
const MAX_ATTRIBUTES = 100

const WORD = /^\S*$/

const READ_ATTRIBUTES = new Set([
  'a',
  'area',
  'link',
  'meta',
  'base',
  'script',
  'html',
  'img',
  'body',
  'astro-island',
])

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

/** Runs the tokenizer once. */
export function collect(html: string): Collected {
  const { found, callbacks } = createCollector(html)
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, callbacks)
  tokenizer.write(html)
  tokenizer.end()
  return found
}

/** Collects from the tokens of a page; only the attributes and texts somebody asks for become strings. */
export function createCollector(html: string): {
  found: Collected
  callbacks: TokenizerCallbacks
} {
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
  let nameStart = 0
  let nameEnd = 0
  let kept = false
  let named: AttributeName = 0
  let role: string | undefined
  let id: string | undefined
  let attrValue: string | null = null
  let foreign = 0
  let anchor: PageLink | null = null
  let script: ScriptTag | null = null
  let title: string | null = null

  function open(selfClosing: boolean): void {
    if (tag === 'svg' || tag === 'math') {
      if (!selfClosing) foreign++
    } else if (wanted) {
      take()
    }
    if (!selfClosing) areas.open(tag, role, id)
  }

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
    anchor.text = WORD.test(anchor.text) ? anchor.text : anchor.text.replace(/\s+/g, ' ').trim()
    anchor = null
  }

  function addText(text: string): void {
    if (script !== null) script.text += text
    else if (title !== null) title = title.length < MAX_TITLE ? title + text : title
    else if (anchor !== null && anchor.text.length < MAX_LINK_TEXT) {
      anchor.text += text.slice(0, MAX_LINK_TEXT)
    }
  }

  const callbacks: TokenizerCallbacks = {
    onopentagname(start, end) {
      tag = html.slice(start, end).toLowerCase()
      wanted = READ_ATTRIBUTES.has(tag)
      if (wanted) attrs = {}
      attrCount = 0
      role = undefined
      id = undefined
      if (tag === 'title' && found.title === null && foreign === 0) title = ''
    },
    onattribname(start, end) {
      nameStart = start
      nameEnd = end
      named = nameOf(html, start, end)
      if (named === MICRODATA) found.hasMicrodata = true
      else if (named === RDFA) found.hasRdfa = true
      kept = attrCount < MAX_ATTRIBUTES && (wanted || named === ID || named === ROLE)
      attrValue = kept ? '' : null
    },
    onattribdata(start, end) {
      if (attrValue !== null) {
        attrValue += html.slice(start, end)
        return
      }
      const first = html.charCodeAt(start)
      if (first === 0x7b || first === 0x5b) attrValue = html.slice(start, end)
    },
    onattribentity(codepoint) {
      if (attrValue !== null) attrValue += String.fromCodePoint(codepoint)
    },
    onattribend() {
      if (attrValue === null) return
      if (kept) {
        if (named === ID) id ??= attrValue
        else if (named === ROLE) role ??= attrValue
      }
      const mayBeJson = attrValue.length >= MIN_JSON_ATTRIBUTE && looksLikeJson(attrValue)
      if (!mayBeJson && !(kept && wanted)) return
      const name = html.slice(nameStart, nameEnd).toLowerCase()
      if (kept && wanted && attrs[name] === undefined) {
        attrs[name] = attrValue
        attrCount++
      }
      if (mayBeJson) takeJsonAttribute(tag, name, attrValue, found)
    },
    onopentagend() {
      open(false)
    },
    onselfclosingtag() {
      open(foreign > 0)
      if (tag === 'script') script = null
    },
    onclosetag(start, end) {
      const name = html.slice(start, end).trim().toLowerCase()
      if (name === 'a') closeAnchor()
      else if (name === 'script') script = null
      else if (name === 'title' && title !== null) {
        found.title = title.replace(/\s+/g, ' ').trim() || null
        title = null
      } else if (name === 'svg' || name === 'math') foreign = Math.max(0, foreign - 1)
      areas.close(name)
    },
    ontext(start, end) {
      if (script !== null || anchor !== null || title !== null) addText(html.slice(start, end))
    },
    ontextentity(codepoint) {
      if (script !== null || anchor !== null || title !== null) {
        addText(String.fromCodePoint(codepoint))
      }
    },
    oncdata() {},
    oncomment() {},
    ondeclaration() {},
    onprocessinginstruction() {},
    onend() {
      closeAnchor()
      if (title !== null && found.title === null) found.title = title.trim() || null
    },
    isInForeignContext: () => foreign > 0,
  }
  return { found, callbacks }
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

type AttributeName = 0 | typeof ID | typeof ROLE | typeof MICRODATA | typeof RDFA
const ID = 1
const ROLE = 2
const MICRODATA = 3
const RDFA = 4

/** Of every attribute on the page only the few that matter everywhere are told apart, by length first. */
function nameOf(html: string, start: number, end: number): AttributeName {
  const length = end - start
  if (length !== 2 && length !== 4 && length !== 6 && length !== 8 && length !== 9) return 0
  const first = html.charCodeAt(start) | 0x20
  if (first !== 0x69 && first !== 0x72 && first !== 0x74) return 0
  return KNOWN.get(html.slice(start, end).toLowerCase()) ?? 0
}

const KNOWN: ReadonlyMap<string, AttributeName> = new Map([
  ['id', ID],
  ['role', ROLE],
  ['itemtype', MICRODATA],
  ['itemscope', MICRODATA],
  ['typeof', RDFA],
])

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
