import type {
  Random,
  Rendered,
  Resource,
  Site,
  SiteContext,
  Truth,
  TruthItem,
  TruthPage,
} from '../types.ts'
import { applyEdits, chooseEdits, type AppliedEdit, type Edit } from '../generate/edits.ts'
import { seededRandom } from '../generate/random.ts'

export interface EditRequest {
  seed?: number
  /** Exactly these; otherwise one of each kind, or `count` random ones. */
  edits?: Edit[]
  count?: number
}

/** A site as it stands now: its items, what they render to, and the truth about both. */
export interface LiveSite {
  readonly site: Site
  readonly rendered: Rendered
  truth(): Truth
  edit(request: EditRequest): AppliedEdit[]
  /** Back to the first state. */
  reset(): void
}

export function createLiveSite(context: SiteContext, site: Site): LiveSite {
  const first = { items: site.items, reserve: [...site.reserve] }
  let version = 0
  let rendered: Rendered | null = null
  const render = (): Rendered => (rendered ??= site.render(site.items))
  const rerender = (changedAt: Date): void => {
    const before = render()
    rendered = site.render(site.items)
    keepUnchanged(before.resources, rendered.resources, changedAt)
  }
  return {
    site,
    get rendered() {
      return render()
    },
    truth: () => truthOf(context, render(), version),
    edit({ seed, edits, count }) {
      const at = new Date(context.now.getTime() + (version + 1) * 1000)
      const random: Random = seededRandom(`${seed ?? context.seed}/${context.key}/edit`)
      const wanted = edits ?? chooseEdits(site, random, count)
      const applied = applyEdits(site, wanted, random, at)
      version += 1
      rerender(at)
      return applied
    },
    reset() {
      site.items = first.items
      site.reserve = [...first.reserve]
      site.reset?.()
      if (version === 0) return
      version = 0
      rendered = null
    },
  }
}

/** A page that an edit changed gets the edit's time, one that it did not keeps its validators. */
function keepUnchanged(
  before: Map<string, Resource>,
  after: Map<string, Resource>,
  changedAt: Date,
): void {
  for (const [path, resource] of after) {
    const old = before.get(path)
    if (old && sameBody(old.body, resource.body)) after.set(path, old)
    else after.set(path, { ...resource, lastModified: changedAt })
  }
}

function sameBody(one: Resource['body'], two: Resource['body']): boolean {
  return one === two || (Buffer.isBuffer(one) && Buffer.isBuffer(two) && one.equals(two))
}

function truthOf(context: SiteContext, rendered: Rendered, version: number): Truth {
  const fetched: TruthPage[] = []
  for (const [path, resource] of rendered.resources) {
    if (resource.page === undefined) continue
    fetched.push({
      url: context.origin + path,
      kind: resource.page,
      outcome: 'fetched',
      ...(resource.needs === undefined ? {} : { needs: resource.needs }),
    })
  }
  const items = rendered.items.map((item) => ({
    ...item,
    sameAs: item.sameAs.filter((id) => isStillSame(context, item, id)),
  }))
  return {
    site: context.key,
    seed: context.seed,
    now: context.now.toISOString(),
    version,
    strategy: rendered.strategy,
    pages: [...fetched, ...(rendered.refused ?? [])],
    items,
    duplicates: items.flatMap((item) => item.sameAs.map((id): [string, string] => [item.id, id])),
    traps: rendered.traps ?? [],
  }
}

/** Copies stop being the same when the other is gone or moved to another day: nobody could tell it from a second show. */
function isStillSame(context: SiteContext, item: TruthItem, id: string): boolean {
  const other = context.peer(id.slice(0, id.indexOf(':'))).items.find((peer) => peer.id === id)
  if (!other) return false
  if (other.kind === 'article' || item.start === null) return true
  return other.start.slice(0, 10) === item.start.slice(0, 10)
}
