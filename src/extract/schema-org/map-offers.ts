import { textOf, thingsOf } from './read-property.ts'
import type { Thing } from './thing.ts'

/** The price of a calendar event as one short text: `free`, `12.50 EUR`, `10-25 EUR`. */
export function mapPrice(thing: Thing): string | null {
  const prices: number[] = []
  let currency = ''
  let text: string | null = null
  for (const offer of thingsOf(thing, 'offers').flatMap((one) => [
    one,
    ...thingsOf(one, 'offers', 'priceSpecification'),
  ])) {
    currency ||= textOf(offer, 'priceCurrency')?.value ?? ''
    for (const name of ['price', 'lowPrice', 'highPrice', 'minPrice', 'maxPrice']) {
      const raw = textOf(offer, name)?.value
      if (raw === undefined) continue
      const number = amount(raw)
      if (number === null) text ??= raw
      else prices.push(number)
    }
  }
  if (prices.length > 0) {
    const low = Math.min(...prices.slice(0, 1_000))
    const high = Math.max(...prices.slice(0, 1_000))
    if (high === 0) return 'free'
    return `${low === high ? money(low) : `${money(low)}-${money(high)}`}${currency === '' ? '' : ` ${currency}`}`
  }
  if (/^true$|\/true$/i.test(textOf(thing, 'isAccessibleForFree', 'free')?.value ?? ''))
    return 'free'
  return text
}

function amount(raw: string): number | null {
  const digits = raw.replace(/[^\d.,]/g, '')
  if (digits === '' || /[a-z]{4,}/i.test(raw)) return null
  const number = Number(
    /,\d{1,2}$/.test(digits)
      ? digits.replace(/\./g, '').replace(',', '.')
      : digits.replace(/,/g, ''),
  )
  return Number.isFinite(number) ? number : null
}

function money(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2)
}
