import type { Sql } from '../../src/db/pool.ts'

/** Drops the indexes of tables and their partitions, and makes them again when the work is done. */
export async function withoutIndexes(
  sql: Sql,
  tables: string[],
  work: () => Promise<void>,
): Promise<void> {
  const indexes = await sql<{ drop: string; make: string }[]>`
    select case when c.oid is not null then format('alter table %s drop constraint %I', t.relid::regclass, c.conname)
        else format('drop index %s', i.indexrelid::regclass) end as drop,
      case when c.oid is not null
        then format('alter table %s add constraint %I %s', t.relid::regclass, c.conname, pg_get_constraintdef(c.oid))
        else replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') end as make
    from unnest(${tables}::text[]) as given
    cross join lateral (select given::regclass as relid union select relid from pg_partition_tree(given::regclass)) t
    join pg_index i on i.indrelid = t.relid
    join pg_class k on k.oid = i.indexrelid and not k.relispartition
    left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')`
  for (const { drop } of indexes) await sql.unsafe(drop)
  await work()
  for (const { make } of indexes) await sql.unsafe(make)
}
