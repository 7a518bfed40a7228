import { useQueryClient } from '@tanstack/vue-query'
import { ref, type Ref } from 'vue'
import { ApiError } from '../api/problem.ts'
import { useTexts } from '../texts/index.ts'
import { useConfirm, type Question } from './confirm.ts'
import { useToasts } from './toasts.ts'

interface ActionOptions {
  confirm?: Question
  done?: string
  refresh?: readonly unknown[][]
}

interface Action {
  busy: Ref<boolean>
  run<T>(work: () => Promise<T>, options?: ActionOptions): Promise<T | undefined>
  say(done: string): void
}

/** Every button that changes something: ask if needed, do it, say so, refetch what it touched. */
export function useAction(): Action {
  const texts = useTexts()
  const toasts = useToasts()
  const confirm = useConfirm()
  const client = useQueryClient()
  const busy = ref(false)

  async function run<T>(work: () => Promise<T>, options: ActionOptions = {}) {
    if (options.confirm && !(await confirm.ask(options.confirm))) return undefined
    busy.value = true
    try {
      const result = await work()
      if (options.done !== undefined) toasts.show('good', options.done)
      for (const queryKey of options.refresh ?? []) void client.invalidateQueries({ queryKey })
      return result
    } catch (error) {
      toasts.show('bad', errorText(error, texts.value.states.unreachable), {
        details: errorFields(error),
      })
      return undefined
    } finally {
      busy.value = false
    }
  }

  return { busy, run, say: (done) => toasts.show('good', done) }
}

export function errorText(error: unknown, unreachable: string): string {
  return error instanceof ApiError ? error.detail : unreachable
}

export function errorFields(error: unknown): string[] {
  if (!(error instanceof ApiError)) return []
  // Servers often repeat the fields in the detail; once is enough.
  const fields = error.errors
    .filter(({ message }) => !error.detail.includes(message))
    .map(({ field, message }) => (field ? `${field}: ${message}` : message))
  if (error.allowedActions.length === 0) return fields
  return [...fields, `→ ${error.allowedActions.join(', ')}`]
}
