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
}

/** Runs the tokenizer once; only the attributes and texts somebody asks for become strings. */
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
  }
  const areas = createAreaTracker()

  let tag = ''
  let wanted = false
  let attrs: Record<string, string> = {}
  let attrCount = 0
  let nameStart = 0
  let nameEnd = 0
  let kept = false
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
    if (!selfClosing) areas.open(tag, attrs)
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
    anchor.text = anchor.text.replace(/\s+/g, ' ').trim()
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
      if (wanted || attrCount > 0) attrs = {}
      attrCount = 0
      if (tag === 'title' && found.title === null && foreign === 0) title = ''
    },
    onattribname(start, end) {
      nameStart = start
      nameEnd = end
      kept = attrCount < MAX_ATTRIBUTES && (wanted || areas.reads(html, start, end))
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
      const name = html.slice(nameStart, nameEnd).toLowerCase()
      if (kept && attrs[name] === undefined) {
        attrs[name] = attrValue
        attrCount++
      }
      if (attrValue.length >= MIN_JSON_ATTRIBUTE) takeJsonAttribute(tag, name, attrValue, found)
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
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, callbacks)
  tokenizer.write(html)
  tokenizer.end()
  return found
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

function takeJsonAttribute(tag: string, name: string, value: string, found: Collected): void {
  const first = value.trimStart().charAt(0)
  if (first !== '{' && first !== '[') return
  if (found.jsonAttributes.length >= MAX_JSON_ATTRIBUTES) return
  found.jsonAttributes.push({ tag, name, value })
}
