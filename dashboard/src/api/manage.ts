import type {
  ApiKeyRow,
  CreatedApiKey,
  CreatedUser,
  Role,
  UserRow,
} from '../../../contract/dashboard/auth.ts'
import type { Readiness, SystemState } from '../../../contract/dashboard/system.ts'
import { api } from './client.ts'

export function createApiKey(key: {
  name: string
  role: Role
  daily_quota: number | null
  expires_at: string | null
}): Promise<CreatedApiKey> {
  return api.post<CreatedApiKey>('/api/v1/api-keys', key)
}

export function revokeApiKey(key: ApiKeyRow): Promise<unknown> {
  return api.delete(`/api/v1/api-keys/${key.id}`)
}

export function createUser(user: {
  email: string
  role: Role
  password?: string
}): Promise<CreatedUser> {
  return api.post<CreatedUser>('/api/v1/users', user)
}

export function changeUser(
  id: string,
  changes: { role?: Role; password?: string },
): Promise<UserRow> {
  return api.patch<UserRow>(`/api/v1/users/${id}`, changes)
}

export function deleteUser(id: string): Promise<unknown> {
  return api.delete(`/api/v1/users/${id}`)
}

export function fetchReadiness(): Promise<Readiness> {
  return api.get<Readiness>('/ready')
}

export function fetchSystem(): Promise<SystemState> {
  return api.get<SystemState>('/api/v1/system')
}
