import type { Sql } from './pool.ts'

/** The schema as text, in a fixed order: what a reviewer reads and a test compares. */
export async function dumpSchema(sql: Sql): Promise<string> {
  const parts = [
    await tables(sql),
    await indexes(sql),
    await views(sql),
    await functions(sql),
    await triggers(sql),
  ]
  return `-- Written by \`npm run schema\`. Do not edit.\n\n${parts.flat().join('\n\n')}\n`
}

async function tables(sql: Sql): Promise<string[]> {
  const rows = await sql<{ definition: string }[]>`
    select format(E'create table %I (\n%s\n)%s;', c.relname, string_agg(line, E',\n' order by kind, position),
      case when c.relkind = 'p' then ' partition by ' || pg_get_partkeydef(c.oid) else '' end) as definition
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    cross join lateral (
      select 0 as kind, a.attnum::int as position, format('  %I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then ' not null' else '' end,
        case when a.attgenerated <> '' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
             when a.attidentity <> '' then ' generated always as identity'
             when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end) as line
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      union all
      select 1, row_number() over (order by k.contype, k.conname)::int,
        format('  constraint %I %s', k.conname, pg_get_constraintdef(k.oid))
      from pg_constraint k where k.conrelid = c.oid and k.contype <> 'n'
    ) lines
    where c.relkind in ('r', 'p') and not c.relispartition
    group by c.oid, c.relname, c.relkind
    order by c.relname`
  return rows.map((row) => row.definition)
}

async function indexes(sql: Sql): Promise<string[]> {
  const rows = await sql<{ definition: string }[]>`
    select pg_get_indexdef(i.indexrelid) || ';' as definition
    from pg_index i
    join pg_class c on c.oid = i.indrelid and not c.relispartition
    join pg_class x on x.oid = i.indexrelid
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    where not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)
    order by c.relname, x.relname`
  return rows.map((row) => row.definition)
}

async function views(sql: Sql): Promise<string[]> {
  const rows = await sql<{ definition: string }[]>`
    select format(E'create view %I as\n%s', c.relname, pg_get_viewdef(c.oid, true)) as definition
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    where c.relkind in ('v', 'm') order by c.relname`
  return rows.map((row) => row.definition)
}

async function functions(sql: Sql): Promise<string[]> {
  const rows = await sql<{ definition: string }[]>`
    select pg_get_functiondef(p.oid) as definition
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace and n.nspname = 'public'
    where p.prokind in ('f', 'p')
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.proname, p.oid`
  return rows.map((row) => row.definition.trimEnd())
}

async function triggers(sql: Sql): Promise<string[]> {
  const rows = await sql<{ definition: string }[]>`
    select pg_get_triggerdef(t.oid) || ';' as definition
    from pg_trigger t join pg_class c on c.oid = t.tgrelid and not c.relispartition
    where not t.tgisinternal order by c.relname, t.tgname`
  return rows.map((row) => row.definition)
}
