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
  has_password?: boolean
}

export interface ApiKeyRow {
  id: string
  name: string
  prefix?: string
  role?: Role
  daily_quota?: number | null
  used_today?: number
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

/** Without a password the answer carries a token for a one-time login link. */
export interface CreatedUser extends UserRow {
  login_token: string | null
}
