import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createParsePool } from '../../src/flows/parse/pool.ts'
import { Unkept } from '../../src/flows/parse/unkept.ts'
import { Unparsable } from '../../src/flows/parse/unparsable.ts'
import { hostilePages, inputOf, timed } from './hostile-input.ts'

// A parse thread is given 10 seconds; the machine of the tests may be slow, so the time is the processor's.
const limitMs = 8_000

describe('pages made to hurt are read within bounds', () => {
  it.each(hostilePages)('%s', { timeout: 60_000 }, (_, make, type) => {
    const { parsed, ms } = timed(make(), type)
    expect(ms).toBeLessThan(limitMs)
    expect(parsed.items.length).toBeLessThanOrEqual(5_000)
  })
})

describe('the threads that read pages', () => {
  it('lose a thread to an endless page, and nothing else', { timeout: 120_000 }, async () => {
    const pool = createParsePool({ threads: 1, limitMs: 1_500 })
    const small = inputOf('<title>Klein</title><h1>Klein</h1>')
    const [, make] = hostilePages[0] ?? ['', () => '']
    try {
      expect((await pool.parse(small)).title).toBe('Klein')
      const heavy = pool.parse(inputOf(make().repeat(2)))
      const waiting = pool.parse(small)
      await expect(heavy).rejects.toThrow(Unparsable)
      // It waited behind the endless page and is read by the thread that follows.
      expect((await waiting).title).toBe('Klein')
    } finally {
      await pool.close()
    }
  })

  it('do not blame the page when the archive cannot take it', async () => {
    const pool = createParsePool({ threads: 1 })
    // A file where the folder of the packs should be.
    const packFolder = fileURLToPath(import.meta.url)
    try {
      const kept = pool.parse({ ...inputOf('<title>Klein</title>'), packFolder })
      await expect(kept).rejects.toThrow(Unkept)
      await expect(kept).rejects.toThrow('Is there room in the data folder?')
    } finally {
      await pool.close()
    }
  })
})
