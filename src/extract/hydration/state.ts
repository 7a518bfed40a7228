/** One piece of application state found in a page. */
export interface HydrationState {
  framework: string
  /** Where it stood: a script id, a global's name, an attribute. */
  path: string
  data: unknown
}

export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const FRAMEWORKS: readonly [RegExp, string][] = [
  [/^__NEXT_DATA__$/, 'next'],
  [/^__next_f$/, 'next-flight'],
  [/^__NUXT/, 'nuxt'],
  [/apollo/i, 'apollo'],
  [/^__remix/, 'remix'],
  [/^__reactRouter/, 'react-router'],
  [/sveltekit/i, 'sveltekit'],
  [/^wix|^__WIX|viewerModel|warmupData/i, 'wix'],
  [/SQUARESPACE|^Static\b/, 'squarespace'],
  [/gatsby/i, 'gatsby'],
  [/^astro-island/, 'astro'],
  [/(?:INITIAL|PRELOADED|REDUX)_?(?:STATE|DATA)|initialState/i, 'redux'],
]

export function frameworkOf(name: string, otherwise: string): string {
  return FRAMEWORKS.find(([pattern]) => pattern.test(name))?.[1] ?? otherwise
}
