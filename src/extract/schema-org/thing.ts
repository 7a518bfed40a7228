export type Syntax = 'json-ld' | 'microdata' | 'rdfa' | 'microformats'

export type ThingValue = string | number | boolean | Thing

/** One node of structured data, whatever syntax it was written in, with schema.org's names. */
export interface Thing {
  syntax: Syntax
  /** Short type names without vocabulary: `Event`, `NewsArticle`. */
  types: string[]
  id: string | null
  props: Map<string, ThingValue[]>
  /** Where it stands in the page. */
  path: string
}

export function newThing(syntax: Syntax, path: string): Thing {
  return { syntax, types: [], id: null, props: new Map(), path }
}

export function addValue(thing: Thing, name: string, value: ThingValue): void {
  const values = thing.props.get(name)
  if (values === undefined) thing.props.set(name, [value])
  else values.push(value)
}

export function isThing(value: ThingValue | undefined): value is Thing {
  return typeof value === 'object'
}

export function isPlain(value: ThingValue | undefined): value is string | number | boolean {
  return value !== undefined && typeof value !== 'object'
}

/** `http://schema.org/Event`, `schema:Event` and `Event` are one name. */
export function shortName(name: string): string {
  const trimmed = name.trim().replace(/[/#]+$/, '')
  const cut = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('#'), trimmed.lastIndexOf(':'))
  return trimmed.slice(cut + 1)
}

/** Every thing reachable from the roots, once, each with the thing that holds it. */
export function* walkThings(
  roots: readonly Thing[],
): Generator<{ thing: Thing; parent: Thing | null; property: string }> {
  const seen = new Set<Thing>()
  const open: { thing: Thing; parent: Thing | null; property: string }[] = []
  for (const thing of roots.toReversed()) open.push({ thing, parent: null, property: '' })
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    if (seen.has(here.thing)) continue
    seen.add(here.thing)
    yield here
    const inner: typeof open = []
    for (const [property, values] of here.thing.props) {
      for (const value of values) {
        if (isThing(value)) inner.push({ thing: value, parent: here.thing, property })
      }
    }
    for (const child of inner.toReversed()) open.push(child)
  }
}

/** Puts described things in the place of bare references to them. */
export function linkReferences(roots: readonly Thing[]): void {
  const byId = new Map<string, Thing>()
  const all: Thing[] = []
  for (const { thing } of walkThings(roots)) {
    all.push(thing)
    if (thing.id === null || isBare(thing)) continue
    const known = byId.get(thing.id)
    if (known === undefined || known.props.size < thing.props.size) byId.set(thing.id, thing)
  }
  if (byId.size === 0) return
  for (const thing of all) {
    for (const [name, values] of thing.props) {
      if (!values.some((value) => isThing(value) && isBare(value))) continue
      thing.props.set(
        name,
        values.map((value) =>
          isThing(value) && isBare(value) && value.id !== null
            ? (byId.get(value.id) ?? value)
            : value,
        ),
      )
    }
  }
}

function isBare(thing: Thing): boolean {
  return thing.props.size === 0
}
