import { getDomain } from 'tldts'
import type { PageSurvey } from '../parse/survey-page.ts'
import type { Why } from './recommend.ts'

interface Region {
  timezone: { value: string | null; why: Why }
  locale: { value: string | null; why: Why }
}

/** Countries with one zone and a usual language; others stay open, which is better than wrong. */
const countries: Record<string, { zone: string; language: string; region: string }> = {
  nl: { zone: 'Europe/Amsterdam', language: 'nl', region: 'NL' },
  be: { zone: 'Europe/Brussels', language: 'nl', region: 'BE' },
  de: { zone: 'Europe/Berlin', language: 'de', region: 'DE' },
  at: { zone: 'Europe/Vienna', language: 'de', region: 'AT' },
  ch: { zone: 'Europe/Zurich', language: 'de', region: 'CH' },
  fr: { zone: 'Europe/Paris', language: 'fr', region: 'FR' },
  lu: { zone: 'Europe/Luxembourg', language: 'fr', region: 'LU' },
  uk: { zone: 'Europe/London', language: 'en', region: 'GB' },
  ie: { zone: 'Europe/Dublin', language: 'en', region: 'IE' },
  dk: { zone: 'Europe/Copenhagen', language: 'da', region: 'DK' },
  se: { zone: 'Europe/Stockholm', language: 'sv', region: 'SE' },
  no: { zone: 'Europe/Oslo', language: 'nb', region: 'NO' },
  it: { zone: 'Europe/Rome', language: 'it', region: 'IT' },
  pl: { zone: 'Europe/Warsaw', language: 'pl', region: 'PL' },
  cz: { zone: 'Europe/Prague', language: 'cs', region: 'CZ' },
}
const usualCountry: Record<string, string> = { nl: 'nl', de: 'de', fr: 'fr', da: 'dk', sv: 'se' }

/** In which zone and language a site writes: what it says itself first, then where it is registered. */
export function guessRegion(url: string, survey: PageSurvey | null): Region {
  const said = /^([a-z]{2,3})(?:[-_]([a-z]{2}))?\b/i.exec(survey?.language ?? '')
  const language = said?.[1]?.toLowerCase() ?? mostCommon(itemsOf(survey).map((i) => i.language))
  const region = said?.[2]?.toUpperCase() ?? null
  const domain = getDomain(url)?.split('.').at(-1) ?? ''
  const byDomain = countries[domain]
  const byRegion = Object.values(countries).find((country) => country.region === region)
  const byLanguage = countries[usualCountry[language ?? ''] ?? '']
  const country = byRegion ?? byDomain ?? byLanguage
  const zone = mostCommon(itemsOf(survey).map((item) => item.calendar?.timezone ?? null))
  return {
    timezone:
      zone !== null && isZone(zone)
        ? { value: zone, why: 'item_zone' }
        : country === undefined
          ? { value: null, why: 'unknown' }
          : {
              value: country.zone,
              why: country === byDomain ? 'country_of_address' : 'page_language',
            },
    locale: localeOf(language, region, country),
  }
}

function localeOf(
  language: string | null,
  region: string | null,
  country: (typeof countries)[string] | undefined,
): Region['locale'] {
  if (language === null)
    return country === undefined
      ? { value: null, why: 'unknown' }
      : { value: `${country.language}-${country.region}`, why: 'country_of_address' }
  const place = region ?? country?.region ?? null
  return { value: place === null ? language : `${language}-${place}`, why: 'page_language' }
}

function itemsOf(survey: PageSurvey | null): PageSurvey['parsed']['items'] {
  return survey?.parsed.items ?? []
}

function mostCommon(values: readonly (string | null)[]): string | null {
  const counts = new Map<string, number>()
  for (const value of values) if (value) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}

function isZone(name: string): boolean {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return timeZone.includes('/')
  } catch {
    return false
  }
}
