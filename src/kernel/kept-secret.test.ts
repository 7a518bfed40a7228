import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { keptSecret } from './kept-secret.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-secret-'))
const module = new URL('kept-secret.ts', import.meta.url)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('processes that start together share one secret, each time', async () => {
  const rounds = 200
  const startsAt = Date.now() + 2000
  const answers = await Promise.all([1, 2, 3].map(() => readSecrets(rounds, startsAt)))
  for (const secrets of answers) {
    expect(secrets).toHaveLength(rounds)
    expect(secrets).toEqual(answers[0])
    expect(secrets.every((secret) => /^[0-9a-f]{64}$/.test(secret))).toBe(true)
  }
  expect(readdirSync(folder)).toHaveLength(rounds)
}, 60_000)

test('an empty file is told by its name', () => {
  const file = join(folder, 'empty')
  writeFileSync(file, '')
  expect(() => keptSecret(file, 32)).toThrow(/empty is empty\. Restore it, or remove it/)
})

/** Reads one secret every 3 ms of the clock, as all of its neighbours do. */
async function readSecrets(rounds: number, startsAt: number): Promise<string[]> {
  const script = `
    const { keptSecret } = await import(${JSON.stringify(module.href)})
    for (let round = 0; round < ${rounds}; round++) {
      while (Date.now() < ${startsAt} + round * 3);
      console.log(keptSecret(${JSON.stringify(join(folder, 'secret'))} + round, 32))
    }`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return output.trim().split('\n')
}
