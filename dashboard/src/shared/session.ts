import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { Role, SessionAnswer, User } from '../../../contract/dashboard/auth.ts'
import { api } from '../api/client.ts'
import { ApiError } from '../api/problem.ts'

const retryMs = 2000
const rank: Record<Role, number> = { viewer: 0, operator: 1, admin: 2 }

export const useSession = defineStore('session', () => {
  const user = ref<User | null>(null)
  // Unknown until the server has been asked once.
  const known = ref(false)
  let asking = false

  const may = computed(() => {
    const own = user.value === null ? -1 : rank[user.value.role]
    return { operate: own >= rank.operator, administrate: own >= rank.admin }
  })

  /** Only the server's own "not logged in" ends a session; a server in trouble is asked again. */
  async function ask(): Promise<void> {
    try {
      user.value = (await api.get<SessionAnswer>('/api/v1/auth/me')).user
      known.value = true
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        user.value = null
        known.value = true
      } else void askAgain()
    }
  }

  async function askAgain(): Promise<void> {
    if (asking || known.value) return
    asking = true
    await new Promise((resolve) => setTimeout(resolve, retryMs))
    asking = false
    await ask()
  }

  async function login(email: string, password: string): Promise<void> {
    enter(await api.post<SessionAnswer>('/api/v1/auth/login', { email, password }))
  }

  async function loginWithLink(token: string): Promise<void> {
    enter(await api.post<SessionAnswer>('/api/v1/auth/login-link', { token }))
  }

  async function logout(): Promise<void> {
    await api.post('/api/v1/auth/logout')
    user.value = null
  }

  function enter(answer: SessionAnswer): void {
    user.value = answer.user
    known.value = true
  }

  return { user, known, may, ask, login, loginWithLink, logout }
})
