-- Lending accounts and what was done to them, wallets, and how far the indexer has come.
-- Money is numeric and exact. Addresses are base58 text. `slot` is the slot of the newest state written; an older one never overwrites it.

-- What the risk engine and the limits read of a bank besides its configuration: domain's words, I80F48 written out.
create table bank_measure (
  bank text primary key,
  ledger jsonb not null,
  price jsonb not null,
  vault_base numeric,
  transfer_fee jsonb,
  "group" jsonb,
  source text not null check (source in ('chain', 'localnet')),
  slot bigint not null,
  slot_time timestamptz not null
);

create table account (
  address text primary key,
  -- Null only on accounts that were closed before anything else was seen of them.
  group_address text,
  authority text,
  flags numeric not null default 0,
  -- Unix seconds, as the program stores them.
  last_update bigint not null default 0,
  derivation_index integer,
  third_party_id integer,
  active_orders smallint not null default 0,
  migrated_from text,
  migrated_to text,
  emissions_destination text,
  liquidation_record text,
  is_closed boolean not null,
  source text not null check (source in ('chain', 'localnet')),
  slot bigint not null,
  -- Null: as the account stood at the end of the slot, which is newer than any write in it.
  write_version numeric,
  slot_time timestamptz not null
);
create index account_authority on account (authority);

-- The slots in use of each account: shares in the bank's units. Written together with their account, never alone.
create table balance (
  account text not null,
  bank text not null,
  slot_index smallint not null,
  asset_tag smallint not null,
  order_tag integer not null,
  asset_shares numeric not null,
  liability_shares numeric not null,
  -- Unix seconds.
  last_update bigint not null,
  primary key (account, slot_index)
);

create table account_order (
  address text primary key,
  account text not null,
  trigger text,
  stop_loss numeric,
  take_profit numeric,
  -- Fraction of one.
  max_slippage numeric,
  tags integer[],
  is_closed boolean not null,
  source text not null check (source in ('chain', 'localnet')),
  slot bigint not null,
  write_version numeric,
  slot_time timestamptz not null
);
create index account_order_account on account_order (account);

create table wallet (
  address text primary key,
  lamports numeric not null,
  holdings_left_out integer not null,
  source text not null check (source in ('chain', 'localnet')),
  slot bigint not null,
  slot_time timestamptz not null
);

-- Written together with their wallet, never alone.
create table wallet_balance (
  wallet text not null,
  token_account text not null,
  mint text not null,
  token_program text not null check (token_program in ('spl', 'token_2022')),
  decimals smallint not null,
  amount_base numeric not null,
  is_frozen boolean not null,
  symbol text,
  name text,
  primary key (wallet, token_account)
);

-- What was done to accounts. Rows are added, and deleted when their slot turns out to be dropped; none is ever changed, so they can come
-- in any order. A transaction may be seen in two slots, of two forks: then it has two rows, and the one of the later slot counts.
--
-- Kept narrow, since there are many: the id on the wire is `signature:instruction_index[:inner_index]` and stored as its md5; how final a
-- row is stands in slot_finality, once for the slot; the group is the account's; whose chain it is says chain_progress.
-- Fixed widths first, so that nothing is padded.
create table activity (
  key uuid not null,
  slot bigint not null,
  time timestamptz not null,
  fee_lamports bigint not null,
  tip_lamports bigint not null,
  instruction_index smallint not null,
  inner_index smallint,
  kind text not null,
  account text not null,
  authority text not null,
  -- Null: the authority.
  actor text,
  counterparty text,
  signature text not null,
  group_id text,
  liquidation jsonb,
  primary key (key, slot)
);
comment on column activity.key is 'md5 of signature:instruction_index[:inner_index]';
comment on column activity.actor is 'who signed for it, where that is not the authority';
-- Newest first of whom somebody asks for. Time and kind are there to be compared before the row is fetched.
create index activity_account on activity (account, slot, time, kind);
create index activity_authority on activity (authority, slot, time, kind);
create index activity_counterparty on activity (counterparty, slot, time, kind) where counterparty is not null;
-- To take back a slot. A hash has no order: by one that has, the planner reads all slots backwards in search of an address it believes busy.
create index activity_slot on activity using hash (slot);

-- Written together with their activity, never alone.
create table activity_leg (
  activity uuid not null,
  slot bigint not null,
  leg smallint not null,
  closes_side boolean not null,
  action text not null,
  bank text not null,
  mint text not null,
  amount_base numeric,
  -- By how much the shares changed.
  shares numeric,
  primary key (activity, slot, leg)
);

-- How slots with activity ended. A slot that has activity and no row became final long ago. `dropped` is for good: its activity is gone
-- and not taken in again.
create table slot_finality (
  slot bigint primary key,
  finality text not null check (finality in ('confirmed', 'finalized', 'dropped'))
);
create index slot_finality_open on slot_finality (slot) where finality = 'confirmed';

-- How far the indexer has come: everything up to `tip_slot` is in the tables or on its way there.
create table chain_progress (
  only_one boolean primary key default true check (only_one),
  tip_slot bigint not null,
  tip_time timestamptz not null,
  root_slot bigint not null,
  source text not null check (source in ('chain', 'localnet'))
);

-- What the indexer has read of the past, and where it goes on.
create table index_progress (
  task text primary key,
  kind text not null check (kind in ('accounts', 'activity')),
  address text,
  from_slot bigint not null,
  until_slot bigint not null,
  cursor_signature text,
  cursor_slot bigint,
  done bigint not null,
  total bigint,
  is_complete boolean not null,
  source text not null check (source in ('chain', 'localnet')),
  slot bigint not null,
  slot_time timestamptz not null
);
create index index_progress_address on index_progress (address) where address is not null;

-- Addresses that somebody asked for. Written by whoever asks, answered by the indexer, dropped when nobody asked for a while.
create table followed_address (
  address text not null,
  aspect text not null check (aspect in ('accounts', 'activity', 'wallet')),
  followed_at timestamptz not null default now(),
  asked_at timestamptz not null default now(),
  -- Null until the chain was read for it.
  answered_slot bigint,
  answered_time timestamptz,
  accounts text[],
  is_complete boolean,
  primary key (address, aspect)
);
