import {
  randomBytes,
  scrypt as scryptCallback,
  timingSafeEqual,
  type ScryptOptions,
} from 'node:crypto'

const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const keyBytes = 32

/** `scrypt$N$r$p$salt$key`: the cost stands with the hash, so that it can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await scrypt(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), key.toString('base64')].join(
    '$',
  )
}

export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  // An unknown user takes as long as a known one, so that names cannot be guessed by time.
  const [scheme, n, r, p, salt, key] = (stored ?? (await decoy())).split('$')
  if (scheme !== 'scrypt' || salt === undefined || key === undefined) return false
  const options = { N: Number(n), r: Number(r), p: Number(p), maxmem: cost.maxmem }
  const expected = Buffer.from(key, 'base64')
  const actual = await scrypt(password, Buffer.from(salt, 'base64'), options)
  return stored !== null && timingSafeEqual(actual, expected)
}

let decoyHash: Promise<string> | null = null

function decoy(): Promise<string> {
  decoyHash ??= hashPassword(randomBytes(16).toString('hex'))
  return decoyHash
}

function scrypt(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scryptCallback(password, salt, keyBytes, options, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
}
