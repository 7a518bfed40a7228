import type { PageArea } from './scan.ts'

export interface AreaTracker {
  open(tag: string, role: string | undefined, id: string | undefined): void
  close(tag: string): void
  current(): PageArea
}

interface OpenArea {
  tag: string
  area: PageArea
  /** Open elements of the same name inside it. */
  nested: number
}

const ROLE_AREAS: ReadonlyMap<string, PageArea> = new Map([
  ['navigation', 'nav'],
  ['menubar', 'nav'],
  ['main', 'main'],
  ['banner', 'header'],
  ['contentinfo', 'footer'],
  ['complementary', 'aside'],
])
const HINTED_TAGS = new Set(['div', 'ul', 'ol', 'section', 'td', 'table'])
const HINTS: readonly [RegExp, PageArea][] = [
  [
    /^(?:site-?|page-?|global-?|main-?)?(?:nav|navbar|navigation|menu|topnav|breadcrumbs?)$/i,
    'nav',
  ],
  [/^(?:site-?|page-?|global-?|main-?)?(?:footer|colophon)$/i, 'footer'],
  [/^(?:site-?|page-?|global-?|main-?)?(?:header|masthead)$/i, 'header'],
  [/^(?:site-?|page-?|left-?|right-?)?sidebar$/i, 'aside'],
  [/^(?:site-?|page-?|main-?)?content$/i, 'main'],
]
const MAX_OPEN = 64

/** Follows which part of the page the scan is in, from landmark elements, roles and common names. */
export function createAreaTracker(): AreaTracker {
  const stack: OpenArea[] = []
  let here: OpenArea | undefined

  return {
    open(tag, role, id) {
      const area = areaOf(tag, role, id, here?.area)
      if (area !== null && stack.length < MAX_OPEN) {
        here = { tag, area, nested: 0 }
        stack.push(here)
      } else if (here?.tag === tag) here.nested++
    },
    close(tag) {
      if (here === undefined) return
      if (here.tag === tag) {
        if (here.nested > 0) here.nested--
        else {
          stack.pop()
          here = stack.at(-1)
        }
      } else if (areaOfTag(tag) !== null) {
        const at = stack.findLastIndex((open) => open.tag === tag)
        if (at >= 0) {
          stack.length = at
          here = stack.at(-1)
        }
      }
    },
    current: () => here?.area ?? 'main',
  }
}

function areaOf(
  tag: string,
  role: string | undefined,
  id: string | undefined,
  inside: PageArea | undefined,
): PageArea | null {
  const byTag = areaOfTag(tag)
  // The heading of an article is content, not the header of the site.
  if (byTag !== null) return byTag === 'header' && inside === 'main' ? 'main' : byTag
  if (role !== undefined) {
    const byRole = ROLE_AREAS.get(role.toLowerCase())
    if (byRole !== undefined) return byRole
  }
  if (id === undefined || id.length > 40 || !HINTED_TAGS.has(tag)) return null
  return HINTS.find(([pattern]) => pattern.test(id))?.[1] ?? null
}

/** A switch, because it is asked for every tag: known names are compared by their address, which no map can beat. */
function areaOfTag(tag: string): PageArea | null {
  switch (tag) {
    case 'nav':
    case 'main':
    case 'header':
    case 'footer':
    case 'aside':
      return tag
    case 'article':
      return 'main'
    default:
      return null
  }
}
