import { computed } from 'vue'
import { once } from './once.ts'
import { usePreferences } from './preferences.ts'

interface NumberFormat {
  whole(value: number): string
  short(value: number): string
  percent(share: number): string
  bytes(value: number): string
}

export const useNumberFormat = once(() => {
  const preferences = usePreferences()
  return computed(() => numberFormat(preferences.locale === 'nl' ? 'nl-NL' : 'en-GB'))
})

function numberFormat(language: string): NumberFormat {
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 })
  const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  return {
    whole: (value) => whole.format(value),
    short: (value) => short.format(value),
    percent: (share) => percent.format(share),
    bytes: (value) => {
      const power = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3))
      return `${short.format(value / 1000 ** power)} ${units[power] ?? ''}`
    },
  }
}
