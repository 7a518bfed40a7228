import { onBeforeUnmount, onMounted } from 'vue'
import { useRouter } from 'vue-router'
import { allPages } from './navigation.ts'

const chordMs = 1200

/** `g` then a letter goes to a page, `/` focuses the page's search, `?` shows the list. */
export function useShortcuts(showHelp: () => void): void {
  const router = useRouter()
  let waitingSince = 0

  function onKey(event: KeyboardEvent): void {
    if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return
    if (Date.now() - waitingSince < chordMs) {
      waitingSince = 0
      const page = allPages.find((entry) => entry.key === event.key)
      if (page !== undefined) {
        event.preventDefault()
        void router.push(page.path)
      }
      return
    }
    if (event.key === 'g') waitingSince = Date.now()
    else if (event.key === '?') showHelp()
    else if (event.key === '/') focusSearch(event)
  }

  onMounted(() => window.addEventListener('keydown', onKey))
  onBeforeUnmount(() => window.removeEventListener('keydown', onKey))
}

export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target
  if (!(target instanceof HTMLElement)) return false
  return target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null
}

function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (search === null) return
  event.preventDefault()
  search.focus()
  search.select()
}
