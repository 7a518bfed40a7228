import postgres from 'postgres'

export type Sql = postgres.Sql<Record<string, never>>
export type Tx = postgres.TransactionSql<Record<string, never>>
/** What a statement needs: the pool, or the transaction it is part of. */
export type Db = Sql | Tx

export interface PoolOptions {
  max?: number
  applicationName?: string
}

/** Bounds every statement and every forgotten transaction: an open one keeps vacuum from cleaning up for everybody. */
const statementTimeoutMs = 60_000
const idleTransactionTimeoutMs = 60_000
/** All connections of a pool fail together and share one count, so a pause that grows per failure would soon be long. */
const longestReconnectSeconds = 1

export function connect(url: string, options: PoolOptions = {}): Sql {
  return postgres(url, {
    max: options.max ?? 16,
    idle_timeout: 60,
    connect_timeout: 10,
    backoff: (failures) => Math.min(0.05 * 2 ** failures, longestReconnectSeconds),
    onnotice: () => {},
    connection: {
      application_name: options.applicationName ?? 'millrace',
      timezone: 'UTC',
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
    },
  })
}

/** Runs `work` in one transaction on either a pool or, nested, inside the caller's own. */
export async function transaction<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return (await sql.begin(work)) as T
}
