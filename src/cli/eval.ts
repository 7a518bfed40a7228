import { createInterface } from 'node:readline'

/** One evaluation set: a pure function from a case to an answer, in a file named after the set. */
export interface EvalSet {
  answer(input: Record<string, unknown>): Record<string, unknown> | Promise<Record<string, unknown>>
}

/** Answers one JSON case per line of stdin with one JSON line on stdout. A case that throws gets an error answer. */
export async function runEval(setName: string): Promise<void> {
  const set = await loadSet(setName)
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() === '') continue
    const input = JSON.parse(line) as Record<string, unknown>
    const started = performance.now()
    let answer: Record<string, unknown>
    try {
      answer = await set.answer(input)
    } catch (error) {
      answer = { error: error instanceof Error ? error.message : String(error) }
    }
    const ms = Number((performance.now() - started).toFixed(3))
    process.stdout.write(`${JSON.stringify({ id: input['id'], ...answer, ms })}\n`)
  }
}

async function loadSet(name: string): Promise<EvalSet> {
  if (!/^[a-z-]+$/.test(name)) throw new Error(`no evaluation set named "${name}"`)
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return (await import(new URL(`./eval/${name}.${extension}`, import.meta.url).href)) as EvalSet
}
