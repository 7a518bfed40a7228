export const roleNames = ['viewer', 'operator', 'admin'] as const
export type RoleName = (typeof roleNames)[number]

/** Who is asking: a person with a session, a service with a token, or a program with a key. */
export interface Caller {
  kind: 'user' | 'service' | 'api_key'
  id: string
  name: string
  role: RoleName
  scopes: readonly string[]
}

export function hasRole(caller: Caller, least: RoleName): boolean {
  return roleNames.indexOf(caller.role) >= roleNames.indexOf(least)
}
