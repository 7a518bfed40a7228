import type { Suggestions } from '../../../../contract/dashboard/preview.ts'
import type { SourceDetail } from '../../../../contract/dashboard/sources.ts'

/** What the form holds: text as it is typed; '' means: as the group or the default says. */
export interface FormState {
  url: string
  name: string
  kind: string
  priority: string
  rate_limit: string
  max_depth: string
  render_mode: string
  preferred_method: string
  timezone: string
  locale: string
  feed_urls: string
  tags: string
}

export function stateOf(source: SourceDetail | undefined): FormState {
  const text = (name: string) => {
    const value = source?.[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const list = (name: string) => {
    const value = source?.[name]
    return Array.isArray(value) ? value.map(String) : []
  }
  return {
    url: source?.url ?? '',
    name: source?.name ?? '',
    kind: source?.kind ?? 'mixed',
    priority: text('priority'),
    rate_limit: text('rate_limit'),
    max_depth: text('max_depth'),
    render_mode: text('render_mode'),
    preferred_method: text('preferred_method'),
    timezone: text('timezone'),
    locale: text('locale'),
    feed_urls: list('feed_urls').join('\n'),
    tags: list('tags').join(', '),
  }
}

export function suggestedState(url: string, given: Suggestions): FormState {
  return {
    ...stateOf(undefined),
    url,
    name: given.name.value,
    kind: given.kind.value,
    rate_limit: given.rate_limit.value === null ? '' : String(given.rate_limit.value),
    render_mode: given.render_mode.value ?? '',
    preferred_method: given.preferred_method.value ?? '',
    timezone: given.timezone.value ?? '',
    locale: given.locale.value ?? '',
    feed_urls: given.feed_urls.value.join('\n'),
  }
}

/** The fields as the API takes them. */
export function fieldsOf(form: FormState, host: string): Record<string, unknown> {
  const amount = (text: string) => (text === '' ? null : Number(text))
  const words = (text: string, separator: RegExp) =>
    text
      .split(separator)
      .map((word) => word.trim())
      .filter((word) => word !== '')
  return {
    url: fullUrl(form.url),
    name: form.name.trim() || host,
    kind: form.kind,
    priority: form.priority || null,
    rate_limit: amount(form.rate_limit),
    max_depth: amount(form.max_depth),
    render_mode: form.render_mode || null,
    preferred_method: form.preferred_method || null,
    timezone: form.timezone.trim() || null,
    locale: form.locale.trim() || null,
    feed_urls: words(form.feed_urls, /\s+/),
    tags: words(form.tags, /,/),
  }
}

export function fullUrl(typed: string): string {
  const text = typed.trim()
  return /^https?:\/\//i.test(text) ? text : `https://${text}`
}

export function hostOf(typed: string): string {
  try {
    return new URL(fullUrl(typed)).hostname.replace(/^www\./, '')
  } catch {
    return ''
  }
}
