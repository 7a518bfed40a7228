export type Role = 'viewer' | 'operator' | 'admin'

export interface User {
  id: string
  email: string
  role: Role
}

export interface SessionAnswer {
  user: User
  expires_at?: string
}

export interface UserRow extends User {
  created_at?: string
  last_login_at?: string | null
  disabled?: boolean
}

export interface ApiKeyRow {
  id: string
  name: string
  prefix?: string
  role?: Role
  daily_quota?: number | null
  quota_used?: number
  scopes?: string[]
  created_at?: string
  last_used_at?: string | null
  expires_at?: string | null
  revoked_at?: string | null
}

/** The secret is in the answer to the creation and never again. */
export interface CreatedApiKey extends ApiKeyRow {
  key: string
}
