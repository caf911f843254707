-- What each client was granted of late, by which the api's instances limit it together. Worth nothing after a minute: unlogged, so that a
-- request does not wait for a disk, and empty after a crash of the server, when each instance still counts what it granted itself.

create unlogged table rate_window (
  -- An IPv4 address, or the /64 of an IPv6 address.
  client text primary key,
  -- One element for each grant and scope: how many requests were granted, and when they cease to count.
  scopes text[] not null,
  counts integer[] not null,
  ends timestamptz[] not null,
  -- The newest grant: whoever asked under this id was granted what he asked for.
  granted uuid not null,
  -- When nothing counts any more.
  lapses_at timestamptz not null
) with (fillfactor = 50);
