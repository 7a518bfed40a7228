import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'

export type ThemeChoice = 'system' | 'light' | 'dark'
export type Locale = 'en' | 'nl'

interface Stored {
  theme: ThemeChoice
  locale: Locale
  timeZone: string
}

const storageKey = 'millrace.preferences'

export const usePreferences = defineStore('preferences', () => {
  const stored = read()
  const theme = ref<ThemeChoice>(stored.theme)
  const locale = ref<Locale>(stored.locale)
  // 'local' follows the browser; anything else is an IANA name.
  const timeZone = ref(stored.timeZone)

  const systemDark = window.matchMedia('(prefers-color-scheme: dark)')
  const systemIsDark = ref(systemDark.matches)
  systemDark.addEventListener('change', (change) => (systemIsDark.value = change.matches))

  const dark = computed(
    () => theme.value === 'dark' || (theme.value === 'system' && systemIsDark.value),
  )
  const zone = computed(() =>
    timeZone.value === 'local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : timeZone.value,
  )

  watch(dark, (isDark) => (document.documentElement.dataset.theme = isDark ? 'dark' : 'light'), {
    immediate: true,
  })
  watch(locale, (name) => (document.documentElement.lang = name), { immediate: true })
  watch([theme, locale, timeZone], () =>
    localStorage.setItem(
      storageKey,
      JSON.stringify({ theme: theme.value, locale: locale.value, timeZone: timeZone.value }),
    ),
  )

  return { theme, locale, timeZone, dark, zone }
})

function read(): Stored {
  const fallback: Stored = {
    theme: 'system',
    locale: navigator.language.startsWith('nl') ? 'nl' : 'en',
    timeZone: 'local',
  }
  try {
    return { ...fallback, ...(JSON.parse(localStorage.getItem(storageKey) ?? '{}') as object) }
  } catch {
    return fallback
  }
}
