import { createSigner, createVerifier } from 'fast-jwt'
import { isRole, type Claims } from './claims.ts'
import type { RoleName } from './caller.ts'

export interface Tokens {
  /** For a person: valid until it expires or the user's session version moves on. */
  signSession(
    user: { id: string; role: RoleName; sessionVersion: number },
    expiresInMs: number,
  ): string
  /** For another service that shares the secret, as the specs describe. */
  signService(name: string, role: RoleName, expiresInMs: number): string
  /** Null when forged, expired or not ours to judge. */
  verify(token: string): Claims | null
}

export function createTokens(secret: string): Tokens {
  const verify = createVerifier({ key: secret, algorithms: ['HS256'] })
  const sign = (payload: Record<string, unknown>, expiresIn: number): string =>
    createSigner({ key: secret, algorithm: 'HS256', expiresIn })(payload)
  return {
    signSession: (user, expiresInMs) =>
      sign({ sub: user.id, role: user.role, sv: user.sessionVersion }, expiresInMs),
    signService: (name, role, expiresInMs) => sign({ sub: name, role }, expiresInMs),
    verify: (token) => {
      try {
        return readClaims(verify(token) as Record<string, unknown>)
      } catch {
        return null
      }
    },
  }
}

function readClaims(payload: Record<string, unknown>): Claims | null {
  const { sub, role, sv, exp } = payload
  if (typeof sub !== 'string' || sub === '' || typeof exp !== 'number') return null
  return {
    subject: sub,
    role: isRole(role) ? role : 'viewer',
    sessionVersion: typeof sv === 'number' ? sv : null,
  }
}
