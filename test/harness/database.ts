import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, inject } from 'vitest'
import { connect, type Sql } from '../../src/db/pool.ts'

export interface TestDatabase {
  readonly sql: Sql
  readonly url: string
}

/** One database per test file, cloned from the migrated template and dropped afterwards. */
export function useDatabase(options: { max?: number } = {}): TestDatabase {
  let sql: Sql | null = null
  const url = new URL(inject('postgresUrl'))
  const name = `test_${randomBytes(6).toString('hex')}`
  url.pathname = `/${name}`

  beforeAll(async () => {
    await asAdmin(async (admin) => {
      await admin`create database ${admin(name)} template millrace`
    })
    sql = connect(url.href, { max: options.max ?? 8 })
  })

  afterAll(async () => {
    await sql?.end({ timeout: 2 })
    await asAdmin(async (admin) => {
      await admin`drop database ${admin(name)} with (force)`
    })
  })

  return {
    url: url.href,
    get sql() {
      if (sql === null) throw new Error('the test database exists only inside tests and hooks')
      return sql
    },
  }
}

/** Copying the template needs it unused, so two files must not clone at the same instant: retry. */
async function asAdmin(work: (sql: Sql) => Promise<void>): Promise<void> {
  const url = new URL(inject('postgresUrl'))
  url.pathname = '/postgres'
  const admin = connect(url.href, { max: 1 })
  try {
    await admin`select pg_advisory_lock(7)`
    await work(admin)
  } finally {
    await admin.end()
  }
}
