import { textArray } from '../../db/arrays.ts'
import type { Db, Tx } from '../../db/pool.ts'

export interface Embedding {
  model: string
  vector: Float32Array
}

export async function storeEmbeddings(
  tx: Tx,
  model: string,
  items: readonly { id: string; vector: readonly number[] }[],
  now: Date,
): Promise<void> {
  const rows = items.map(({ id, vector }) => ({
    id,
    vector: Buffer.from(unit(vector).buffer).toString('hex'),
  }))
  await tx`
    insert into item_embeddings (item_id, model, vector, made_at)
    select id, ${model}, decode(vector, 'hex'), ${now} from jsonb_to_recordset(${tx.json(rows)}) as e(id uuid, vector text)
    on conflict (item_id) do update set model = excluded.model, vector = excluded.vector, made_at = excluded.made_at`
}

export async function loadEmbeddings(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, Embedding>> {
  if (ids.length === 0) return new Map()
  const rows = await db<{ id: string; model: string; vector: Uint8Array }[]>`
    select item_id as id, model, vector from item_embeddings where item_id = any(${textArray(ids)}::uuid[])`
  return new Map(rows.map(({ id, model, vector }) => [id, { model, vector: floats(vector) }]))
}

/** Only vectors of one model can be compared; undefined leaves the decision to the local vectors. */
export function similarityOf(
  vectors: ReadonlyMap<string, Embedding>,
  a: string,
  b: string,
): number | undefined {
  const left = vectors.get(a)
  const right = vectors.get(b)
  if (left === undefined || right === undefined || left.model !== right.model) return undefined
  let sum = 0
  for (let i = 0; i < left.vector.length; i++) sum += (left.vector[i] ?? 0) * (right.vector[i] ?? 0)
  return sum
}

function unit(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector) || 1
  return Float32Array.from(vector, (value) => value / length)
}

function floats(bytes: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer)
}
