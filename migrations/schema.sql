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

create table bank_limit_change (
  address text not null,
  slot bigint not null,
  "time" timestamp with time zone not null,
  kind text not null,
  venue text not null,
  deposit_limit_base numeric,
  borrow_limit_base numeric,
  value_limit_usd numeric,
  source text not null,
  constraint bank_limit_change_kind_check CHECK ((kind = ANY (ARRAY['bank'::text, 'reserve'::text]))),
  constraint bank_limit_change_pkey PRIMARY KEY (address, slot),
  constraint bank_limit_change_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text]))),
  constraint bank_limit_change_venue_check CHECK ((venue = ANY (ARRAY['p0'::text, 'kamino'::text, 'drift'::text, 'solend'::text, 'juplend'::text])))
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

create table rate_day (
  series integer not null,
  bucket timestamp with time zone not null,
  source text not null,
  samples integer not null,
  covered_seconds numeric not null,
  time_first timestamp with time zone not null,
  time_last timestamp with time zone not null,
  slot_first bigint,
  slot_last bigint,
  deposit_apr numeric,
  deposit_apr_min numeric,
  deposit_apr_max numeric,
  deposit_apr_close numeric,
  borrow_apr numeric,
  native_apr numeric,
  emissions_deposit_apr numeric,
  emissions_borrow_apr numeric,
  utilization numeric,
  total_assets_base numeric,
  total_liabilities_base numeric,
  available_liquidity_base numeric,
  asset_share_value numeric,
  liability_share_value numeric,
  exchange_rate numeric,
  native_exchange_rate numeric,
  price_usd numeric,
  constraint rate_day_pkey PRIMARY KEY (series, bucket),
  constraint rate_day_source_check CHECK ((source = ANY (ARRAY['poller'::text, 'backfill_venue_api'::text, 'backfill_account_changes'::text])))
);

create table rate_hour (
  series integer not null,
  bucket timestamp with time zone not null,
  source text not null,
  samples integer not null,
  covered_seconds numeric not null,
  time_first timestamp with time zone not null,
  time_last timestamp with time zone not null,
  slot_first bigint,
  slot_last bigint,
  deposit_apr numeric,
  deposit_apr_min numeric,
  deposit_apr_max numeric,
  deposit_apr_close numeric,
  borrow_apr numeric,
  native_apr numeric,
  emissions_deposit_apr numeric,
  emissions_borrow_apr numeric,
  utilization numeric,
  total_assets_base numeric,
  total_liabilities_base numeric,
  available_liquidity_base numeric,
  asset_share_value numeric,
  liability_share_value numeric,
  exchange_rate numeric,
  native_exchange_rate numeric,
  price_usd numeric,
  constraint rate_hour_pkey PRIMARY KEY (series, bucket) INCLUDE (source, samples, covered_seconds, time_first, time_last, slot_first, slot_last, deposit_apr, deposit_apr_min, deposit_apr_max, deposit_apr_close, borrow_apr, native_apr, emissions_deposit_apr, emissions_borrow_apr, utilization, total_assets_base, total_liabilities_base, available_liquidity_base, asset_share_value, liability_share_value, exchange_rate, native_exchange_rate, price_usd),
  constraint rate_hour_source_check CHECK ((source = ANY (ARRAY['poller'::text, 'backfill_venue_api'::text, 'backfill_account_changes'::text])))
);

create table rate_quarantine (
  address text not null,
  slot bigint not null,
  reason text not null,
  "time" timestamp with time zone not null,
  venue text not null,
  detail text not null,
  source text not null,
  recorded_at timestamp with time zone not null default now(),
  constraint rate_quarantine_pkey PRIMARY KEY (address, slot, reason),
  constraint rate_quarantine_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text]))),
  constraint rate_quarantine_venue_check CHECK ((venue = ANY (ARRAY['p0'::text, 'kamino'::text, 'drift'::text, 'solend'::text, 'juplend'::text])))
);

create table rate_roll_up (
  only_one boolean not null default true,
  settled_before timestamp with time zone,
  rolled_before timestamp with time zone,
  raw_from timestamp with time zone,
  constraint rate_roll_up_only_one_check CHECK (only_one),
  constraint rate_roll_up_pkey PRIMARY KEY (only_one)
);

create table rate_roll_up_due (
  series integer not null,
  bucket timestamp with time zone not null,
  touches integer not null default 1,
  constraint rate_roll_up_due_pkey PRIMARY KEY (series, bucket)
);

create table rate_sample (
  "time" timestamp with time zone not null,
  slot bigint not null,
  series integer not null,
  deposit_apr numeric,
  borrow_apr numeric,
  native_apr numeric,
  emissions_deposit_apr numeric,
  emissions_borrow_apr numeric,
  utilization numeric,
  total_assets_base numeric,
  total_liabilities_base numeric,
  available_liquidity_base numeric,
  asset_share_value numeric not null,
  liability_share_value numeric not null,
  exchange_rate numeric,
  native_exchange_rate numeric,
  slot_ms numeric,
  price_usd numeric,
  constraint rate_sample_pkey PRIMARY KEY (series, "time", slot)
) partition by RANGE ("time");

create table rate_series (
  id integer not null generated always as identity,
  address text not null,
  kind text not null,
  venue text not null,
  source text not null,
  constraint rate_series_address_key UNIQUE (address),
  constraint rate_series_kind_check CHECK ((kind = ANY (ARRAY['bank'::text, 'reserve'::text]))),
  constraint rate_series_pkey PRIMARY KEY (id),
  constraint rate_series_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text]))),
  constraint rate_series_venue_check CHECK ((venue = ANY (ARRAY['p0'::text, 'kamino'::text, 'drift'::text, 'solend'::text, 'juplend'::text])))
);

create table reserve (
  address text not null,
  venue text not null,
  market text not null,
  market_name text,
  mint text not null,
  decimals smallint not null,
  symbol text,
  status text not null,
  status_reasons text[] not null,
  deposit_limit_base numeric,
  deposit_room_base numeric,
  borrow_limit_base numeric,
  borrow_room_base numeric,
  withdraw_room_base numeric not null,
  price_usd numeric,
  price_time timestamp with time zone,
  incentives jsonb not null,
  source text not null,
  slot bigint not null,
  slot_time timestamp with time zone not null,
  constraint reserve_pkey PRIMARY KEY (address),
  constraint reserve_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text]))),
  constraint reserve_status_check CHECK ((status = ANY (ARRAY['active'::text, 'restricted'::text, 'closed'::text, 'suspended'::text, 'unknown'::text]))),
  constraint reserve_venue_check CHECK ((venue = ANY (ARRAY['kamino'::text, 'drift'::text, 'solend'::text, 'juplend'::text])))
);

create table schema_migration (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migration_pkey PRIMARY KEY (name)
);

CREATE INDEX bank_mint ON public.bank USING btree (mint);

CREATE INDEX bank_venue_account ON public.bank USING btree (venue_account);

CREATE INDEX log_claim_member ON public.log_claim USING btree (consumer_group, member);

CREATE INDEX rate_hour_bucket ON public.rate_hour USING brin (bucket) WITH (pages_per_range='32', autosummarize='on');

CREATE INDEX rate_quarantine_recorded ON public.rate_quarantine USING btree (recorded_at);

CREATE INDEX reserve_mint ON public.reserve USING btree (mint);

comment on column bank.slot is 'slot of the newest account state written here; an older one never overwrites it';

comment on column bank_limit_change.deposit_limit_base is 'base units, for banks on other venues in their receipts; null is no limit';

comment on column bank_limit_change.value_limit_usd is 'most USD that a bank counts as collateral; reserves have none';

comment on column log_message.headers is 'why and from where, on dead topics; null elsewhere';

comment on table log_partition is 'partitions of the embedded log, dead topics included';

comment on column rate_hour.source is 'who saw it; a backfilled row stands only where nothing was polled, and has no samples and no slots';

comment on column rate_hour.covered_seconds is 'seconds of the hour that samples speak for, each until the next one and for 120 s at most';

comment on column rate_quarantine.recorded_at is 'by our clock: the time of a reading whose clock jumped says nothing';

comment on column rate_roll_up.rolled_before is 'every hour before it is in rate_hour, every whole day before it in rate_day; later ones are computed from samples';

comment on column rate_roll_up.raw_from is 'samples before it were dropped for age; a replayed one is left out, its hour holds more than it';

comment on column rate_sample.deposit_apr is 'interest alone; all APRs and utilization are fractions of one with 18 decimals at most';

comment on column rate_sample.exchange_rate is 'tokens that one whole receipt of the venue is worth; null on P0''s own banks';

comment on column rate_sample.native_exchange_rate is 'SOL that one whole token is worth in its stake pool';

comment on column rate_sample.slot_ms is 'measured slot time that went into slot-based rates';

comment on column rate_series.source is 'which chain the samples are of; one database holds one chain';

comment on table reserve is 'A pool of a venue that is not P0. A limit or room of null is none: anything fits';

comment on column reserve.slot is 'slot of the newest reading written here; an older one never overwrites it';
