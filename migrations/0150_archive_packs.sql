-- Page bodies in the data folder lie many to a file, a pack; here is where each of them is.
create table archive_bodies (
  -- SHA-256 of the body, as in pages.content_hash.
  hash bytea primary key,
  -- The pack is named by the time it was begun (UUID version 7).
  pack uuid not null,
  at integer not null,
  -- As packed, without the head of its record.
  length integer not null
);

create index archive_bodies_pack on archive_bodies (pack);

-- The folder of this database's packs: who shares a data folder with another database never clears away its packs.
create table archive_home (
  id uuid primary key default gen_random_uuid(),
  only_one boolean not null default true unique check (only_one)
);

insert into archive_home default values;
