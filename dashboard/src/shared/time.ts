import { computed, ref } from 'vue'
import { once } from './once.ts'
import { usePreferences } from './preferences.ts'

/** One clock for the whole page, so every relative time ticks together. */
export const now = ref(Date.now())
setInterval(() => (now.value = Date.now()), 5000)

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
]

interface TimeFormat {
  relative(iso: string): string
  /** Of what has happened: never in the future, however the clocks differ. */
  ago(iso: string): string
  exact(iso: string): string
  clock(iso: string): string
  day(iso: string): string
  hour(ms: number): string
}

export const useTimeFormat = once(() => {
  const preferences = usePreferences()
  return computed(() => timeFormat(preferences.locale, preferences.zone))
})

function timeFormat(locale: string, timeZone: string): TimeFormat {
  const language = locale === 'nl' ? 'nl-NL' : 'en-GB'
  const ago = new Intl.RelativeTimeFormat(language, { numeric: 'always', style: 'narrow' })
  const exact = new Intl.DateTimeFormat(language, {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  })
  const clock = new Intl.DateTimeFormat(language, { timeZone, hour: '2-digit', minute: '2-digit' })
  const day = new Intl.DateTimeFormat(language, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  })
  return {
    relative: (iso) => relative(ago, Date.parse(iso) - now.value),
    ago: (iso) => relative(ago, Math.min(Date.parse(iso) - now.value, -0)),
    exact: (iso) => exact.format(new Date(iso)),
    clock: (iso) => clock.format(new Date(iso)),
    day: (iso) => day.format(new Date(iso)),
    hour: (ms) => clock.format(new Date(ms)),
  }
}

function relative(format: Intl.RelativeTimeFormat, ms: number): string {
  let amount = ms / 1000
  for (const [unit, size] of steps) {
    if (Math.abs(Math.round(amount)) < size) return format.format(Math.round(amount), unit)
    amount /= size
  }
  return ''
}

/** 95 -> "1m 35s"; two units are enough to compare by eye. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)}s`
  const whole = Math.round(seconds)
  const parts: [number, string][] = [
    [Math.floor(whole / 86400), 'd'],
    [Math.floor(whole / 3600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'm'],
    [whole % 60, 's'],
  ]
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ')
}
