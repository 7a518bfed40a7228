import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Stop, codeOf } from './errors.ts'

/**
 * A secret made once and kept in a file. Processes that share the folder may all be first: the file appears whole or
 * not at all, and one of them makes it.
 */
export function keptSecret(file: string, bytes: number): string {
  if (!existsSync(file)) make(file, randomBytes(bytes).toString('hex'))
  const secret = readFileSync(file, 'utf8').trim()
  if (secret === '') throw new Stop(`${file} is empty. Restore it, or remove it to get a new one.`)
  return secret
}

function make(file: string, secret: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, secret, { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
