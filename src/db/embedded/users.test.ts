import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useServer } from './users.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lockFolder = (): string => join(folder, 'postgres.lock')
/** No process has a number as high. */
const deadPid = 2 ** 30

test('one at a time starts the server', async () => {
  const release = await useServer(folder)
  let second = false
  const waiting = useServer(folder).then((done) => {
    second = true
    return done
  })
  await new Promise((resolve) => setTimeout(resolve, 120))
  expect(second).toBe(false)
  release()
  ;(await waiting)()
  expect(existsSync(lockFolder())).toBe(false)
})

test.each([
  ['died while it held it', [String(deadPid)]],
  ['died before it left its mark', []],
  ['had the number that is ours now, as processes of containers do', [String(process.pid)]],
])('the lock of one who %s is free', async (_, marks) => {
  mkdirSync(lockFolder())
  for (const mark of marks) writeFileSync(join(lockFolder(), mark), '')
  const release = await useServer(folder)
  release()
  expect(existsSync(lockFolder())).toBe(false)
})
