-- What a bank is, what it paid and charged at each slot, and what its oracle said.
-- Money is numeric and exact. Rates are fractions of one. Addresses are base58 text.

-- The one chain that all rows here come from. Slots of two chains must never meet.
create table chain_identity (
  only_one boolean primary key default true check (only_one),
  genesis_hash text not null,
  source text not null check (source in ('chain', 'localnet')),
  claimed_at timestamptz not null default now()
);

create table bank (
  address text primary key,
  group_address text not null,
  venue text not null check (venue in ('p0', 'kamino', 'drift', 'solend', 'juplend')),
  mint text not null,
  decimals smallint not null,
  token_program text check (token_program in ('spl', 'token_2022')),
  symbol text,
  asset_tag smallint not null,
  operational_state text not null,
  risk_tier text not null,
  asset_weight_init numeric not null,
  asset_weight_maint numeric not null,
  liability_weight_init numeric not null,
  liability_weight_maint numeric not null,
  deposit_limit_base numeric,
  borrow_limit_base numeric,
  total_asset_value_init_limit_usd numeric,
  origination_fee numeric not null,
  flags numeric not null,
  emode jsonb not null,
  oracle_setup text not null,
  oracle_key text,
  oracle_max_age_seconds integer not null,
  rate_curve jsonb not null,
  venue_account text,
  source text not null check (source in ('chain', 'localnet')),
  slot bigint not null,
  slot_time timestamptz not null
);
comment on column bank.slot is 'slot of the newest account state written here; an older one never overwrites it';
create index bank_mint on bank (mint);

-- Banks of the group whose accounts cannot be read at present, with the reason. A readable account removes the row.
create table bank_rejection (
  bank text primary key,
  reason text not null,
  source text not null check (source in ('chain', 'localnet')),
  slot bigint not null,
  slot_time timestamptz not null
);

-- Immutable. One row for a bank and slot; partitioned by day so that raw samples can be dropped by age.
create table rate_sample (
  bank text not null,
  slot bigint not null,
  time timestamptz not null,
  venue text not null,
  deposit_apr numeric,
  borrow_apr numeric,
  utilization numeric,
  total_assets_base numeric,
  total_liabilities_base numeric,
  available_liquidity_base numeric,
  asset_share_value numeric not null,
  liability_share_value numeric not null,
  price_usd numeric,
  source text not null check (source in ('chain', 'localnet')),
  primary key (bank, time, slot)
) partition by range (time);

-- The newest price reading of each bank.
create table oracle_price (
  bank text primary key,
  oracle text,
  setup text not null,
  price_usd numeric,
  price_low_usd numeric,
  price_high_usd numeric,
  ema_price_usd numeric,
  publish_time timestamptz,
  reason text,
  source text not null check (source in ('chain', 'localnet')),
  slot bigint not null,
  slot_time timestamptz not null
);

-- Where each consumer group stands. Written in the transaction that writes the rows, so a row and its offset cannot part.
create table consumer_offset (
  consumer_group text not null,
  topic text not null,
  partition integer not null,
  next_offset bigint not null,
  updated_at timestamptz not null default now(),
  primary key (consumer_group, topic, partition)
);
