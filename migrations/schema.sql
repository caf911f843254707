-- Written by scripts/dump-schema.ts from the migrations; not applied by anything.

create table bank (
  address text not null,
  group_address text not null,
  venue text not null,
  mint text not null,
  decimals smallint not null,
  token_program text,
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
  source text not null,
  slot bigint not null,
  slot_time timestamp with time zone not null,
  constraint bank_pkey PRIMARY KEY (address),
  constraint bank_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text]))),
  constraint bank_token_program_check CHECK ((token_program = ANY (ARRAY['spl'::text, 'token_2022'::text]))),
  constraint bank_venue_check CHECK ((venue = ANY (ARRAY['p0'::text, 'kamino'::text, 'drift'::text, 'solend'::text, 'juplend'::text])))
);

create table bank_rejection (
  bank text not null,
  reason text not null,
  source text not null,
  slot bigint not null,
  slot_time timestamp with time zone not null,
  constraint bank_rejection_pkey PRIMARY KEY (bank),
  constraint bank_rejection_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text])))
);

create table chain_identity (
  only_one boolean not null default true,
  genesis_hash text not null,
  source text not null,
  claimed_at timestamp with time zone not null default now(),
  constraint chain_identity_only_one_check CHECK (only_one),
  constraint chain_identity_pkey PRIMARY KEY (only_one),
  constraint chain_identity_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text])))
);

create table consumer_offset (
  consumer_group text not null,
  topic text not null,
  partition integer not null,
  next_offset bigint not null,
  updated_at timestamp with time zone not null default now(),
  constraint consumer_offset_pkey PRIMARY KEY (consumer_group, topic, partition)
);

create table log_claim (
  consumer_group text not null,
  partition_id integer not null,
  member bigint not null,
  constraint log_claim_consumer_group_member_fkey FOREIGN KEY (consumer_group, member) REFERENCES log_member(consumer_group, member) ON DELETE CASCADE,
  constraint log_claim_partition_id_fkey FOREIGN KEY (partition_id) REFERENCES log_partition(id),
  constraint log_claim_pkey PRIMARY KEY (consumer_group, partition_id)
);

create table log_member (
  consumer_group text not null,
  member bigint not null generated always as identity,
  topics text[] not null,
  session_pid integer not null,
  session_start timestamp with time zone not null,
  heartbeat_at timestamp with time zone not null default now(),
  constraint log_member_pkey PRIMARY KEY (consumer_group, member)
);

create table log_message (
  partition_id integer not null,
  log_offset bigint not null,
  key text,
  value text not null,
  headers json,
  appended_at timestamp with time zone not null,
  constraint log_message_partition_id_fkey FOREIGN KEY (partition_id) REFERENCES log_partition(id),
  constraint log_message_pkey PRIMARY KEY (partition_id, log_offset)
);

create table log_partition (
  id integer not null generated always as identity,
  topic text not null,
  partition integer not null,
  next_offset bigint not null default 0,
  constraint log_partition_pkey PRIMARY KEY (id),
  constraint log_partition_topic_partition_key UNIQUE (topic, partition)
);

create table oracle_price (
  bank text not null,
  oracle text,
  setup text not null,
  price_usd numeric,
  price_low_usd numeric,
  price_high_usd numeric,
  ema_price_usd numeric,
  publish_time timestamp with time zone,
  reason text,
  source text not null,
  slot bigint not null,
  slot_time timestamp with time zone not null,
  constraint oracle_price_pkey PRIMARY KEY (bank),
  constraint oracle_price_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text])))
);

create table rate_sample (
  bank text not null,
  slot bigint not null,
  "time" timestamp with time zone not null,
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
  source text not null,
  constraint rate_sample_pkey PRIMARY KEY (bank, "time", slot),
  constraint rate_sample_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text])))
) partition by RANGE ("time");

create table schema_migration (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migration_pkey PRIMARY KEY (name)
);

CREATE INDEX bank_mint ON public.bank USING btree (mint);

CREATE INDEX log_claim_member ON public.log_claim USING btree (consumer_group, member);

comment on column bank.slot is 'slot of the newest account state written here; an older one never overwrites it';

comment on column log_message.headers is 'why and from where, on dead topics; null elsewhere';

comment on table log_partition is 'partitions of the embedded log, dead topics included';
