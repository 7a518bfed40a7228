import type { DemoEvent, DemoItem, Random, Site } from '../types.ts'
import { shiftDays } from './local-time.ts'

export type EditAction = 'retitle' | 'reschedule' | 'cancel' | 'remove' | 'add'

export interface Edit {
  action: EditAction
  /** Which item; chosen by the seed when left out. */
  id?: string
  title?: string
  /** For rescheduling; one by default. */
  days?: number
}

export interface AppliedEdit {
  action: EditAction
  id: string
  before: DemoItem | null
  after: DemoItem | null
}

export class EditError extends Error {}

/** One edit of each kind that the site allows, or as many random ones as asked for. */
export function chooseEdits(site: Site, random: Random, count?: number): Edit[] {
  const open = site.items.filter(isOpenEvent).length
  const actions: EditAction[] = ['retitle']
  if (open > 2) actions.push('reschedule', 'cancel')
  if (site.items.length > 4) actions.push('remove')
  if (site.reserve.length > 0) actions.push('add')
  if (count === undefined) return actions.map((action) => ({ action }))
  // Adding is bound by the reserve, so random edits leave it out.
  const drawn = actions.filter((action) => action !== 'add')
  return Array.from({ length: count }, () => ({ action: random.pick(drawn) }))
}

/** Changes the site's items; no item is touched twice in one call, and a refused call changes none. */
export function applyEdits(site: Site, edits: Edit[], random: Random, at: Date): AppliedEdit[] {
  const before = { items: site.items, reserve: [...site.reserve] }
  const touched = new Set<string>()
  try {
    return edits.map((edit) => {
      const applied = applyOne(site, edit, random, at, touched)
      touched.add(applied.id)
      return applied
    })
  } catch (error) {
    site.items = before.items
    site.reserve = before.reserve
    throw error
  }
}

function applyOne(
  site: Site,
  edit: Edit,
  random: Random,
  at: Date,
  touched: Set<string>,
): AppliedEdit {
  if (edit.action === 'add') {
    const added = site.reserve.shift()
    if (!added) throw new EditError('no unpublished item is left to add')
    const after: DemoItem =
      added.kind === 'article'
        ? { ...added, publishedAt: at, updatedAt: at }
        : { ...added, updatedAt: at }
    site.items = after.kind === 'article' ? [after, ...site.items] : [...site.items, after]
    return { action: 'add', id: after.id, before: null, after }
  }
  const before = choose(site.items, edit, random, touched)
  if (edit.action === 'remove') {
    site.items = site.items.filter((item) => item.id !== before.id)
    return { action: 'remove', id: before.id, before, after: null }
  }
  const after = changed(before, edit, at)
  site.items = site.items.map((item) => (item.id === before.id ? after : item))
  return { action: edit.action, id: before.id, before, after }
}

function choose(items: DemoItem[], edit: Edit, random: Random, touched: Set<string>): DemoItem {
  const fits = edit.action === 'retitle' || edit.action === 'remove' ? () => true : isOpenEvent
  const parents = new Set(items.map((item) => (item.kind === 'calendar_event' ? item.parent : '')))
  const candidates = items.filter((item) =>
    edit.id === undefined
      ? fits(item) && !touched.has(item.id) && !parents.has(item.id) && !isChild(item)
      : item.id === edit.id && fits(item),
  )
  if (candidates.length === 0) throw new EditError(`no item to ${edit.action}`)
  return random.pick(candidates)
}

function changed(item: DemoItem, edit: Edit, at: Date): DemoItem {
  if (edit.action === 'retitle') {
    const title = edit.title ?? `${item.language === 'nl' ? 'Gewijzigd' : 'Updated'}: ${item.title}`
    return item.kind === 'article'
      ? { ...item, title, updatedAt: at }
      : { ...item, title, updatedAt: at, sequence: item.sequence + 1 }
  }
  if (item.kind === 'article') throw new EditError(`an article cannot be changed by ${edit.action}`)
  if (edit.action === 'cancel') {
    return { ...item, status: 'cancelled', updatedAt: at, sequence: item.sequence + 1 }
  }
  const days = edit.days ?? 1
  return {
    ...item,
    start: shiftDays(item.start, days),
    end: item.end === null ? null : shiftDays(item.end, days),
    updatedAt: at,
    sequence: item.sequence + 1,
  }
}

const isChild = (item: DemoItem): boolean =>
  item.kind === 'calendar_event' && item.parent !== undefined

const isOpenEvent = (item: DemoItem): item is DemoEvent =>
  item.kind === 'calendar_event' && item.status === 'scheduled' && item.parent === undefined
