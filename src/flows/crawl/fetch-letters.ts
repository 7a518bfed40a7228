import type { Tx } from '../../db/pool.ts'
import { resolveSubjects, writeDeadLetters } from '../../deadletters/store.ts'
import type { DeadLetter, NewDeadLetter } from '../../deadletters/store.ts'
import { hostKey } from '../../kernel/url.ts'
import type { RunBatch } from './commit-batches.ts'
import type { CrawlTarget } from './target.ts'

export const fetchStage = 'fetch'

/**
 * Failures somebody should look at: a page that timed out on every try, with twice the time as well, and a host whose
 * name or certificate is broken, once for the host. What was fetched again settles its letter. One-off crawls have a
 * caller who sees the failure; they write none.
 */
export async function keepFetchLetters(
  tx: Tx,
  batches: readonly RunBatch[],
  now: Date,
): Promise<void> {
  const letters = new Map<string, NewDeadLetter>()
  const settled = new Set<string>()
  for (const batch of batches)
    if (batch.target.frontierId !== batch.run.id) sortOut(batch, letters, settled)
  await writeDeadLetters(tx, [...letters.values()], now)
  await resolveSubjects(tx, fetchStage, [...settled], now)
}

function sortOut(
  { run, target, outcomes }: RunBatch,
  letters: Map<string, NewDeadLetter>,
  settled: Set<string>,
): void {
  for (const { judged } of outcomes) {
    if (judged.page === null) continue
    const { url, outcome } = judged.page
    const reason = judged.url.reason ?? ''
    if (outcome !== 'failed') {
      settled.add(judged.url.id).add(hostSubject(target, url))
    } else if (reason === 'timeout' || reason === 'dns' || reason === 'tls') {
      const subject = reason === 'timeout' ? judged.url.id : hostSubject(target, url)
      letters.set(subject, {
        stage: fetchStage,
        subject,
        jobId: run.id,
        sourceId: target.frontierId,
        errorType: reason,
        errorMessage: `${url}: ${judged.url.last_error ?? reason}. ${advice[reason]}`,
        errorStack: null,
        payload: { frontier_id: judged.url.id, url },
      })
    }
  }
}

const advice = {
  timeout: 'Its retries are used up.',
  dns: 'Has the site moved to another domain?',
  tls: 'Its certificate needs a look.',
}

/** The URLs of letters are due again with the next run of their source. */
export async function putBackFetches(
  tx: Tx,
  letters: readonly DeadLetter[],
  now: Date,
): Promise<void> {
  const ids = letters.map((letter) => String(letter.payload['frontier_id']))
  await tx`
    update frontier set next_fetch_at = ${now}, attempts = 0
    where id = any(${ids}::bigint[]) and status <> 'refused'`
}

function hostSubject(target: CrawlTarget, url: string): string {
  return `${target.frontierId} ${hostKey(url) ?? url}`
}
