-- The demo web that belongs to this installation. Its addresses are on this machine, and fetching them is fine.
create table demo_sites (
  host_key text primary key,
  site_key text not null unique,
  -- The same seed and moment make the same pages after a restart.
  seed integer not null,
  made_at timestamptz not null
);
