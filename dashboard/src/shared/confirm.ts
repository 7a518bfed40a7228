import { defineStore } from 'pinia'
import { shallowRef } from 'vue'

export interface Question {
  title: string
  body: string
  confirm: string
  danger?: boolean
}

export const useConfirm = defineStore('confirm', () => {
  const question = shallowRef<Question | null>(null)
  let answer: (yes: boolean) => void = () => {}

  function ask(next: Question): Promise<boolean> {
    answer(false)
    question.value = next
    return new Promise((resolve) => (answer = resolve))
  }

  function reply(yes: boolean): void {
    question.value = null
    answer(yes)
  }

  return { question, ask, reply }
})
