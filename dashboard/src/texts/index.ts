import { computed, shallowRef, watchEffect } from 'vue'
import { once } from '../shared/once.ts'
import { usePreferences } from '../shared/preferences.ts'
import { en, type Texts } from './en.ts'

const dutch = shallowRef<Texts>()

/** The texts in the chosen language; Dutch is fetched only by who reads it. */
export const useTexts = once(() => {
  const preferences = usePreferences()
  watchEffect(() => {
    if (preferences.locale === 'nl' && dutch.value === undefined) void loadDutch()
  })
  return computed(() => (preferences.locale === 'nl' ? (dutch.value ?? en) : en))
})

async function loadDutch(): Promise<void> {
  dutch.value = (await import('./nl.ts')).nl
}

export type { Texts }
