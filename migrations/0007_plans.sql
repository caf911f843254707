-- What builders handed out, kept for a day: a landed transaction is compared with what its plan promised, and the same idempotency key gives
-- the same plan. Neither comes from a message, so a replay leaves both alone.

create table plan (
  id uuid primary key,
  authority text not null,
  account text not null,
  -- Derived address to create, where the plan creates the account.
  new_account_index integer,
  -- The envelope as it was answered.
  envelope jsonb not null,
  last_valid_block_height bigint not null,
  -- The chain's clock at the simulation, unix seconds: an account written since then was touched after it.
  unix_timestamp bigint not null,
  expires_at timestamptz not null
);
create index plan_expires on plan (expires_at);

-- One row for each key of each wallet. While `claimed_until` lies ahead somebody builds for it, and the others wait.
create table idempotency_key (
  authority text not null,
  key text not null,
  -- sha256 of the arguments as they were read.
  arguments text not null,
  -- Null until the first build succeeded.
  plan uuid,
  claim uuid,
  claimed_until timestamptz,
  expires_at timestamptz not null,
  primary key (authority, key)
);
create index idempotency_key_expires on idempotency_key (expires_at);
