import type { Page } from '../page.ts'
import { mergeItems } from '../schema-org/merge-items.ts'
import type { ItemKind, RawItem } from '../types.ts'
import { candidateOf, type Candidate } from './candidate.ts'
import { createLinkFinder } from './item-links.ts'
import { followPath, writePath } from './learned-path.ts'
import { mapCandidate, type MappingTools } from './map-candidate.ts'
import { createDereference } from './references.ts'
import { compareGroups, groupScore, isMain, isMainGroup, type Group } from './score-group.ts'
import type { HydrationState } from './state.ts'
import { walkState } from './walk-state.ts'

export interface FoundItems {
  items: RawItem[]
  /** Where they stood, to be tried first next time; empty when nothing was found. */
  path: string
}

const MAX_NODES = 400_000
const MAX_ITEMS = 5_000
const MIN_SCORE = 0.6
const MIN_SHARE = 0.6
const MAX_PATHS = 4

/** Finds the calendar events or articles in a page's state by their shape; same-shaped neighbours count together. */
export function findItems(
  states: readonly HydrationState[],
  page: Page,
  learnedPath?: string,
  preferredKind?: ItemKind,
): FoundItems {
  const tools: MappingTools = {
    baseUrl: page.scan.baseUrl,
    pageLanguage: page.scan.lang,
    dereference: createDereference(states),
    findLink: createLinkFinder(page),
  }
  if (learnedPath !== undefined && learnedPath !== '') {
    const groups = followPath(states, learnedPath).map(({ path, objects }) => ({
      path,
      candidates: objects.flatMap((object) => candidateOf(object) ?? []),
    }))
    const known = mapAll(groups, page, tools)
    if (known.length > 0) return { items: known, path: learnedPath }
  }
  const winners = pickGroups(collectGroups(states), page, preferredKind)
  return {
    items: mapAll(winners, page, tools),
    path: winners.map((group) => group.path).join(' | '),
  }
}

function collectGroups(states: readonly HydrationState[]): Group[] {
  const groups = new Map<string, Group>()
  const budget = { nodes: MAX_NODES }
  for (const state of states) {
    for (const { object, path } of walkState(state, budget)) {
      const candidate = candidateOf(object)
      if (candidate === null) continue
      const written = writePath(state, path)
      const key = `${candidate.kind} ${written}`
      const group = groups.get(key)
      if (group === undefined)
        groups.set(key, { kind: candidate.kind, path: written, candidates: [candidate] })
      else if (group.candidates.length < MAX_ITEMS) group.candidates.push(candidate)
    }
  }
  return [...groups.values()]
}

/** The best group, with the others that plainly hold more of the same. */
function pickGroups(
  groups: readonly Group[],
  page: Page,
  preferredKind: ItemKind | undefined,
): Group[] {
  const ranked = groups
    .map((group) => ({ group, score: groupScore(group, page) }))
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((a, b) => compareGroups(a, b, preferredKind))
  const best = ranked[0]
  if (best === undefined) return []
  if (isMainGroup(best.group, page)) return [best.group]
  const shape = shapeOf(best.group)
  return ranked
    .filter(
      ({ group, score }) =>
        group.kind === best.group.kind &&
        score >= best.score * MIN_SHARE &&
        shapeOf(group) === shape,
    )
    .slice(0, MAX_PATHS)
    .map(({ group }) => group)
}

function shapeOf({ candidates }: Group): string {
  const first = candidates[0]
  return first === undefined ? '' : `${first.dateKey} ${Object.keys(first.keys).sort().join()}`
}

function mapAll(
  groups: readonly { path: string; candidates: readonly Candidate[] }[],
  page: Page,
  tools: MappingTools,
): RawItem[] {
  const placed = groups.flatMap(({ path, candidates }) =>
    candidates.map((candidate) => ({ path, candidate })),
  )
  // Normalized caches hold the article of the page among those it links to.
  const shown = placed.filter(
    ({ candidate }) => candidate.kind === 'article' && isMain(candidate, page),
  )
  const chosen = shown.length > 0 ? shown : placed
  const items = mergeItems(
    chosen.slice(0, MAX_ITEMS).map(({ path, candidate }) => mapCandidate(candidate, path, tools)),
  )
  const [only] = items
  if (shown.length > 0 && items.length === 1 && only !== undefined)
    only.url ??= page.scan.canonical ?? page.url
  return items
}
