import { roleNames, type RoleName } from './caller.ts'

export interface Claims {
  subject: string
  role: RoleName
  /** Set on sessions of people; a service's token has none. */
  sessionVersion: number | null
}

export function isRole(value: unknown): value is RoleName {
  return roleNames.some((role) => role === value)
}
