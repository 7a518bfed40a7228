import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

export function newSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

/** Headers of the standard-webhooks specification: one signature per secret that is valid now. */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  now: Date,
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(prefix, ''), 'base64')
    const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
    return `v1,${digest}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
