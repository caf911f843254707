-- Who may say who he is, and what he asked. Nothing of it comes from a message, so a replay leaves it alone.

create table caller (
  id uuid primary key default gen_random_uuid(),
  name text not null unique,
  created_at timestamptz not null default now()
);

-- Several for a caller, so that one can be replaced while the other still works.
create table access_token (
  id uuid primary key default gen_random_uuid(),
  caller uuid not null references caller (id) on delete cascade,
  -- sha256 of the token, which nobody keeps: it has 256 random bits, so there is nothing to guess and nothing to salt.
  hash bytea not null unique,
  created_at timestamptz not null default now(),
  -- To the minute.
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index access_token_caller on access_token (caller);

-- Times are whole milliseconds, as they are shown: what is listed by them stands in the order that a reader sees.
create table conversation (
  id uuid primary key default gen_random_uuid(),
  caller uuid not null references caller (id) on delete cascade,
  -- Null until it is given, or made from the first call.
  title text,
  -- What the caller's program calls itself; null where it does not.
  client text,
  -- Opened by a call that named none: the next such call of that client goes on with it, unless it comes too late.
  is_implicit boolean not null,
  created_at timestamptz(3) not null,
  -- Of the newest entry; of the creation where there is none.
  updated_at timestamptz(3) not null,
  entry_count integer not null default 0,
  -- Number of the newest entry, greater than their count once the oldest are gone.
  last_number integer not null default 0
);
create index conversation_newest on conversation (caller, updated_at desc, id);
-- For whoever deletes what is old.
create index conversation_updated on conversation (updated_at);

create table conversation_entry (
  conversation uuid not null references conversation (id) on delete cascade,
  number integer not null,
  time timestamptz(3) not null,
  door text not null,
  tool text not null,
  -- What the tool knows of, without secrets.
  arguments jsonb not null,
  outcome text not null,
  -- Of an error.
  code text,
  primary key (conversation, number)
);
