-- Written by scripts/dump-schema.ts from the migrations; not applied by anything.

create table access_token (
  id uuid not null default gen_random_uuid(),
  caller uuid not null,
  hash bytea not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint access_token_caller_fkey FOREIGN KEY (caller) REFERENCES caller(id) ON DELETE CASCADE,
  constraint access_token_hash_key UNIQUE (hash),
  constraint access_token_pkey PRIMARY KEY (id)
);

create table account (
  address text not null,
  group_address text,
  authority text,
  flags numeric not null default 0,
  last_update bigint not null default 0,
  derivation_index integer,
  third_party_id integer,
  active_orders smallint not null default 0,
  migrated_from text,
  migrated_to text,
  emissions_destination text,
  liquidation_record text,
  is_closed boolean not null,
  source text not null,
  slot bigint not null,
  write_version numeric,
  slot_time timestamp with time zone not null,
  liquidation_tagged_at bigint,
  constraint account_pkey PRIMARY KEY (address),
  constraint account_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text])))
);

create table account_order (
  address text not null,
  account text not null,
  trigger text,
  stop_loss numeric,
  take_profit numeric,
  max_slippage numeric,
  tags integer[],
  is_closed boolean not null,
  source text not null,
  slot bigint not null,
  write_version numeric,
  slot_time timestamp with time zone not null,
  constraint account_order_pkey PRIMARY KEY (address),
  constraint account_order_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text])))
);

create table activity (
  key uuid not null,
  slot bigint not null,
  "time" timestamp with time zone not null,
  fee_lamports bigint not null,
  tip_lamports bigint not null,
  instruction_index smallint not null,
  inner_index smallint,
  kind text not null,
  account text not null,
  authority text not null,
  actor text,
  counterparty text,
  signature text not null,
  group_id text,
  liquidation jsonb,
  rebalance jsonb,
  constraint activity_pkey PRIMARY KEY (key, slot)
);

create table activity_leg (
  activity uuid not null,
  slot bigint not null,
  leg smallint not null,
  closes_side boolean not null,
  action text not null,
  bank text not null,
  mint text not null,
  amount_base numeric,
  shares numeric,
  premium_settled numeric,
  premium_written_off numeric,
  constraint activity_leg_pkey PRIMARY KEY (activity, slot, leg)
);

create table balance (
  account text not null,
  bank text not null,
  slot_index smallint not null,
  asset_tag smallint not null,
  order_tag integer not null,
  asset_shares numeric not null,
  liability_shares numeric not null,
  last_update bigint not null,
  premium_rate bigint not null default 0,
  premium_outstanding numeric not null default 0,
  constraint balance_pkey PRIMARY KEY (account, slot_index)
);

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

create table bank_audit (
  bank text not null,
  figure text not null,
  compared bigint not null,
  differed bigint not null,
  largest_units numeric not null,
  last_units numeric not null,
  agreed_in_row integer not null,
  unverified_since bigint,
  last_difference jsonb,
  source text not null,
  slot bigint not null,
  slot_time timestamp with time zone not null,
  constraint bank_audit_pkey PRIMARY KEY (bank, figure),
  constraint bank_audit_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text])))
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

create table bank_measure (
  bank text not null,
  ledger jsonb not null,
  price jsonb not null,
  vault_base numeric,
  transfer_fee jsonb,
  "group" jsonb,
  source text not null,
  slot bigint not null,
  slot_time timestamp with time zone not null,
  constraint bank_measure_pkey PRIMARY KEY (bank),
  constraint bank_measure_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text])))
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

create table caller (
  id uuid not null default gen_random_uuid(),
  name text not null,
  created_at timestamp with time zone not null default now(),
  constraint caller_name_key UNIQUE (name),
  constraint caller_pkey PRIMARY KEY (id)
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

create table chain_progress (
  only_one boolean not null default true,
  tip_slot bigint not null,
  tip_time timestamp with time zone not null,
  root_slot bigint not null,
  source text not null,
  constraint chain_progress_only_one_check CHECK (only_one),
  constraint chain_progress_pkey PRIMARY KEY (only_one),
  constraint chain_progress_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text])))
);

create table consumer_lag (
  consumer_group text not null,
  topic text not null,
  partition integer not null,
  end_offset bigint not null,
  behind bigint not null,
  waiting_since timestamp with time zone,
  handled_per_second double precision,
  measured_at timestamp with time zone not null,
  constraint consumer_lag_pkey PRIMARY KEY (consumer_group, topic, partition)
);

create table consumer_offset (
  consumer_group text not null,
  topic text not null,
  partition integer not null,
  next_offset bigint not null,
  updated_at timestamp with time zone not null default now(),
  constraint consumer_offset_pkey PRIMARY KEY (consumer_group, topic, partition)
);

create table conversation (
  id uuid not null default gen_random_uuid(),
  caller uuid not null,
  title text,
  client text,
  is_implicit boolean not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  entry_count integer not null default 0,
  last_number integer not null default 0,
  constraint conversation_caller_fkey FOREIGN KEY (caller) REFERENCES caller(id) ON DELETE CASCADE,
  constraint conversation_pkey PRIMARY KEY (id)
);

create table conversation_entry (
  conversation uuid not null,
  number integer not null,
  "time" timestamp(3) with time zone not null,
  door text not null,
  tool text not null,
  arguments jsonb not null,
  outcome text not null,
  code text,
  constraint conversation_entry_conversation_fkey FOREIGN KEY (conversation) REFERENCES conversation(id) ON DELETE CASCADE,
  constraint conversation_entry_pkey PRIMARY KEY (conversation, number)
);

create table dead_topic (
  topic text not null,
  messages bigint not null,
  measured_at timestamp with time zone not null,
  constraint dead_topic_pkey PRIMARY KEY (topic)
);

create table followed_address (
  address text not null,
  aspect text not null,
  followed_at timestamp with time zone not null default now(),
  asked_at timestamp with time zone not null default now(),
  answered_slot bigint,
  answered_time timestamp with time zone,
  accounts text[],
  is_complete boolean,
  constraint followed_address_aspect_check CHECK ((aspect = ANY (ARRAY['accounts'::text, 'activity'::text, 'wallet'::text]))),
  constraint followed_address_pkey PRIMARY KEY (address, aspect)
);

create table group_change (
  id text not null,
  slot bigint not null,
  "time" timestamp with time zone not null,
  kind text not null,
  address text not null,
  actor text,
  detail jsonb not null,
  constraint group_change_pkey PRIMARY KEY (id, slot)
);

create table idempotency_key (
  authority text not null,
  key text not null,
  arguments text not null,
  plan uuid,
  claim uuid,
  claimed_until timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint idempotency_key_pkey PRIMARY KEY (authority, key)
);

create table index_progress (
  task text not null,
  kind text not null,
  address text,
  from_slot bigint not null,
  until_slot bigint not null,
  cursor_signature text,
  cursor_slot bigint,
  done bigint not null,
  total bigint,
  is_complete boolean not null,
  source text not null,
  slot bigint not null,
  slot_time timestamp with time zone not null,
  constraint index_progress_kind_check CHECK ((kind = ANY (ARRAY['accounts'::text, 'activity'::text]))),
  constraint index_progress_pkey PRIMARY KEY (task),
  constraint index_progress_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text])))
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

create table plan (
  id uuid not null,
  authority text not null,
  account text not null,
  new_account_index integer,
  envelope jsonb not null,
  last_valid_block_height bigint not null,
  unix_timestamp bigint not null,
  expires_at timestamp with time zone not null,
  constraint plan_pkey PRIMARY KEY (id)
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

create table rate_window (
  client text not null,
  scopes text[] not null default '{}'::text[],
  counts integer[] not null default '{}'::integer[],
  ends timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  lapses_at timestamp with time zone not null default now(),
  constraint rate_window_pkey PRIMARY KEY (client)
);

create table rebalance_order (
  address text not null,
  account text not null,
  mint text,
  banks text[],
  min_improvement numeric,
  cooldown_seconds numeric,
  amount_base numeric,
  keeper_tip_lamports numeric,
  last_executed_at numeric,
  fee_pool_lamports numeric,
  is_closed boolean not null,
  source text not null,
  slot bigint not null,
  write_version numeric,
  slot_time timestamp with time zone not null,
  constraint rebalance_order_pkey PRIMARY KEY (address),
  constraint rebalance_order_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text])))
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
  receipt_mint text,
  constraint reserve_pkey PRIMARY KEY (address),
  constraint reserve_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text]))),
  constraint reserve_status_check CHECK ((status = ANY (ARRAY['active'::text, 'restricted'::text, 'closed'::text, 'suspended'::text, 'unknown'::text]))),
  constraint reserve_venue_check CHECK ((venue = ANY (ARRAY['kamino'::text, 'drift'::text, 'solend'::text, 'juplend'::text])))
);

create table schema_migration (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  oldest_version text,
  constraint schema_migration_pkey PRIMARY KEY (name)
);

create table slot_finality (
  slot bigint not null,
  finality text not null,
  constraint slot_finality_finality_check CHECK ((finality = ANY (ARRAY['confirmed'::text, 'finalized'::text, 'dropped'::text]))),
  constraint slot_finality_pkey PRIMARY KEY (slot)
);

create table source_status (
  role text not null,
  instance text not null,
  kind text not null,
  host text not null,
  state text not null,
  in_use boolean not null,
  slot bigint,
  slot_at timestamp with time zone,
  answered_at timestamp with time zone,
  error text,
  observed_at timestamp with time zone not null,
  constraint source_status_kind_check CHECK ((kind = ANY (ARRAY['rpc'::text, 'pubsub'::text, 'polling'::text, 'yellowstone'::text, 'aggregator'::text]))),
  constraint source_status_pkey PRIMARY KEY (role, instance, kind, host),
  constraint source_status_state_check CHECK ((state = ANY (ARRAY['unknown'::text, 'serving'::text, 'lagging'::text, 'resting'::text, 'refused'::text])))
);

create table swap_quote (
  in_mint text not null,
  out_mint text not null,
  in_decimals smallint not null,
  out_decimals smallint not null,
  in_price_usd numeric not null,
  out_price_usd numeric not null,
  rungs jsonb not null,
  ladder_end text not null,
  source text not null,
  slot bigint not null,
  slot_time timestamp with time zone not null,
  constraint swap_quote_ladder_end_check CHECK ((ladder_end = ANY (ARRAY['passed_largest'::text, 'impact'::text, 'no_route'::text]))),
  constraint swap_quote_pkey PRIMARY KEY (in_mint, out_mint),
  constraint swap_quote_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text])))
);

create table venue_beat (
  venue text not null,
  beat_ms integer not null,
  slot_us integer,
  told_at timestamp with time zone not null,
  constraint venue_beat_pkey PRIMARY KEY (venue),
  constraint venue_beat_venue_check CHECK ((venue = ANY (ARRAY['p0'::text, 'kamino'::text, 'drift'::text, 'juplend'::text, 'solend'::text])))
);

create table wallet (
  address text not null,
  lamports numeric not null,
  holdings_left_out integer not null,
  source text not null,
  slot bigint not null,
  slot_time timestamp with time zone not null,
  constraint wallet_pkey PRIMARY KEY (address),
  constraint wallet_source_check CHECK ((source = ANY (ARRAY['chain'::text, 'localnet'::text])))
);

create table wallet_balance (
  wallet text not null,
  token_account text not null,
  mint text not null,
  token_program text not null,
  decimals smallint not null,
  amount_base numeric not null,
  is_frozen boolean not null,
  symbol text,
  name text,
  constraint wallet_balance_pkey PRIMARY KEY (wallet, token_account),
  constraint wallet_balance_token_program_check CHECK ((token_program = ANY (ARRAY['spl'::text, 'token_2022'::text])))
);

CREATE INDEX access_token_caller ON public.access_token USING btree (caller);

CREATE INDEX account_authority ON public.account USING btree (authority);

CREATE INDEX account_order_account ON public.account_order USING btree (account);

CREATE INDEX activity_account ON public.activity USING btree (account, slot, "time", kind);

CREATE INDEX activity_actor ON public.activity USING btree (actor, slot) WHERE (actor IS NOT NULL);

CREATE INDEX activity_authority ON public.activity USING btree (authority, slot, "time", kind);

CREATE INDEX activity_counterparty ON public.activity USING btree (counterparty, slot, "time", kind) WHERE (counterparty IS NOT NULL);

CREATE INDEX activity_kind ON public.activity USING btree (kind, slot);

CREATE INDEX activity_leg_bank ON public.activity_leg USING btree (bank, action, slot);

CREATE INDEX activity_slot ON public.activity USING hash (slot);

CREATE INDEX activity_time ON public.activity USING btree ("time", slot);

CREATE INDEX balance_bank ON public.balance USING btree (bank, account);

CREATE INDEX bank_mint ON public.bank USING btree (mint);

CREATE INDEX bank_venue_account ON public.bank USING btree (venue_account);

CREATE INDEX conversation_newest ON public.conversation USING btree (caller, updated_at DESC, id);

CREATE INDEX conversation_updated ON public.conversation USING btree (updated_at);

CREATE INDEX group_change_address ON public.group_change USING btree (address, slot);

CREATE INDEX group_change_kind ON public.group_change USING btree (kind, slot);

CREATE INDEX group_change_slot ON public.group_change USING btree (slot);

CREATE INDEX group_change_time ON public.group_change USING btree ("time", slot) WHERE (kind <> 'liquidation_tag'::text);

CREATE INDEX idempotency_key_expires ON public.idempotency_key USING btree (expires_at);

CREATE INDEX index_progress_address ON public.index_progress USING btree (address) WHERE (address IS NOT NULL);

CREATE INDEX log_claim_member ON public.log_claim USING btree (consumer_group, member);

CREATE INDEX plan_expires ON public.plan USING btree (expires_at);

CREATE INDEX rate_hour_bucket ON public.rate_hour USING brin (bucket) WITH (pages_per_range='32', autosummarize='on');

CREATE INDEX rate_quarantine_recorded ON public.rate_quarantine USING btree (recorded_at);

CREATE INDEX rebalance_order_account ON public.rebalance_order USING btree (account);

CREATE INDEX reserve_mint ON public.reserve USING btree (mint);

CREATE INDEX slot_finality_open ON public.slot_finality USING btree (slot) WHERE (finality = 'confirmed'::text);

create view v_account as
 SELECT address AS account,
    authority,
    group_address AS "group",
    is_closed,
    slot_time AS "time",
    slot,
    to_timestamp((last_update)::double precision) AS last_update,
    (( SELECT count(*) AS count
           FROM balance
          WHERE (balance.account = account.address)))::integer AS balance_slots_used,
    active_orders,
    derivation_index,
    third_party_id,
    migrated_from,
    migrated_to,
    flags
   FROM account;

create view v_activity as
 SELECT (((activity.signature || ':'::text) || activity.instruction_index) || COALESCE((':'::text || activity.inner_index), ''::text)) AS id,
    activity."time",
    activity.slot,
        CASE
            WHEN (slot_finality.finality = 'confirmed'::text) THEN 'confirmed'::text
            ELSE 'finalized'::text
        END AS finality,
    activity.kind,
    activity.group_id,
    activity.account,
    activity.authority,
    COALESCE(activity.actor, activity.authority) AS actor,
    activity.counterparty,
    activity.fee_lamports,
    activity.tip_lamports,
    activity_leg.leg,
    activity_leg.action,
    activity_leg.bank,
    bank.symbol,
    activity_leg.mint,
    bank.venue,
    activity_leg.amount_base,
    activity_leg.shares,
    activity_leg.closes_side,
    (activity.liquidation ->> 'liquidator'::text) AS liquidator,
    activity.signature,
    activity_leg.premium_settled AS premium_settled_base,
    activity_leg.premium_written_off AS premium_written_off_base
   FROM (((activity
     LEFT JOIN slot_finality ON ((slot_finality.slot = activity.slot)))
     LEFT JOIN activity_leg ON (((activity_leg.activity = activity.key) AND (activity_leg.slot = activity.slot))))
     LEFT JOIN bank ON ((bank.address = activity_leg.bank)))
  WHERE (NOT (EXISTS ( SELECT
           FROM activity later
          WHERE ((later.key = activity.key) AND (later.slot > activity.slot)))));

create view v_balance as
 SELECT balance.account,
    account.authority,
    balance.bank,
    bank.symbol,
    bank.mint,
    bank.venue,
    balance.slot_index,
        CASE
            WHEN (balance.liability_shares > balance.asset_shares) THEN 'borrow'::text
            ELSE 'lend'::text
        END AS side,
    balance.asset_shares,
    balance.liability_shares,
    (balance.asset_shares * ((bank_measure.ledger ->> 'assetShareValue'::text))::numeric) AS asset_base,
    (balance.liability_shares * ((bank_measure.ledger ->> 'liabilityShareValue'::text))::numeric) AS liability_base,
    to_timestamp((balance.last_update)::double precision) AS last_update,
    account.slot_time AS "time",
    account.slot,
    bank_measure.slot_time AS measured_at
   FROM (((balance
     JOIN account ON ((account.address = balance.account)))
     LEFT JOIN bank ON ((bank.address = balance.bank)))
     LEFT JOIN bank_measure ON ((bank_measure.bank = balance.bank)));

create view v_bank as
 SELECT bank.address AS bank,
    bank.symbol,
    bank.mint,
    bank.venue,
    bank.venue_account AS reserve,
    bank.operational_state,
    bank.risk_tier,
    reserve.status AS reserve_status,
    sample."time",
    sample.slot,
    (EXTRACT(epoch FROM (now() - sample."time")))::double precision AS age_seconds,
    sample.deposit_apr,
    venue_apy_pct(sample.deposit_apr, bank.venue) AS deposit_apy_pct,
    sample.borrow_apr,
    venue_apy_pct(sample.borrow_apr, bank.venue) AS borrow_apy_pct,
    sample.native_apr,
    (((100)::numeric * sample.native_apr))::double precision AS native_apr_pct,
    sample.emissions_deposit_apr,
    (((100)::numeric * sample.emissions_deposit_apr))::double precision AS emissions_deposit_apr_pct,
    sample.emissions_borrow_apr,
    (((100)::numeric * sample.emissions_borrow_apr))::double precision AS emissions_borrow_apr_pct,
    (((100)::numeric * sample.utilization))::double precision AS utilization_pct,
    (sample.total_assets_base / ((10)::numeric ^ (bank.decimals)::numeric)) AS deposits,
    (sample.total_liabilities_base / ((10)::numeric ^ (bank.decimals)::numeric)) AS borrows,
    (sample.available_liquidity_base / ((10)::numeric ^ (bank.decimals)::numeric)) AS available_liquidity,
    ((sample.total_assets_base / ((10)::numeric ^ (bank.decimals)::numeric)) * sample.price_usd) AS deposits_usd,
    ((sample.total_liabilities_base / ((10)::numeric ^ (bank.decimals)::numeric)) * sample.price_usd) AS borrows_usd,
    sample.price_usd,
        CASE
            WHEN (bank.venue = 'p0'::text) THEN (bank.deposit_limit_base / ((10)::numeric ^ (bank.decimals)::numeric))
            ELSE ((bank.deposit_limit_base * sample.exchange_rate) / ((10)::numeric ^ (
            CASE
                WHEN (bank.venue = 'drift'::text) THEN 9
                ELSE (bank.decimals)::integer
            END)::numeric))
        END AS deposit_limit,
    (bank.borrow_limit_base / ((10)::numeric ^ (bank.decimals)::numeric)) AS borrow_limit,
    bank.total_asset_value_init_limit_usd AS value_limit_usd,
    (reserve.deposit_limit_base / ((10)::numeric ^ (reserve.decimals)::numeric)) AS reserve_deposit_limit,
    (reserve.deposit_room_base / ((10)::numeric ^ (reserve.decimals)::numeric)) AS reserve_deposit_room,
    sample.asset_share_value,
    sample.liability_share_value,
    sample.exchange_rate,
    sample.native_exchange_rate,
    sample.slot_ms
   FROM ((bank
     LEFT JOIN v_newest_sample sample ON ((sample.address = bank.address)))
     LEFT JOIN reserve ON ((reserve.address = bank.venue_account)));

create view v_bank_audit as
 SELECT audit.bank,
    bank.symbol,
    bank.venue,
    audit.figure,
    audit.compared,
    audit.differed,
    audit.largest_units,
    audit.last_units,
    (audit.unverified_since IS NULL) AS verified,
    audit.unverified_since,
    audit.last_difference,
    audit.slot,
    audit.slot_time AS "time"
   FROM (bank_audit audit
     LEFT JOIN bank ON ((bank.address = audit.bank)));

create view v_group_change as
 SELECT change.id,
    change."time",
    change.slot,
    change.kind,
    change.address,
    bank.symbol,
    change.actor,
    change.detail
   FROM (group_change change
     LEFT JOIN bank ON ((bank.address = change.address)))
  WHERE (NOT (EXISTS ( SELECT
           FROM group_change later
          WHERE ((later.id = change.id) AND (later.slot > change.slot)))));

create view v_index_progress as
 SELECT task,
    kind,
    address,
    from_slot,
    until_slot,
    cursor_slot,
    done,
    total,
    is_complete,
    slot_time AS "time",
    ( SELECT chain_progress.tip_slot
           FROM chain_progress) AS tip_slot,
    ( SELECT chain_progress.tip_time
           FROM chain_progress) AS tip_time,
    ( SELECT chain_progress.root_slot
           FROM chain_progress) AS root_slot
   FROM index_progress;

create view v_limit_change as
 SELECT change.address,
    change.kind,
    change.venue,
    COALESCE(bank.symbol, reserve.symbol) AS symbol,
    change."time",
    change.slot,
    change.deposit_limit_base,
    lag(change.deposit_limit_base) OVER before AS deposit_limit_base_before,
    change.borrow_limit_base,
    lag(change.borrow_limit_base) OVER before AS borrow_limit_base_before,
    change.value_limit_usd,
    lag(change.value_limit_usd) OVER before AS value_limit_usd_before,
    (row_number() OVER before = 1) AS is_first,
    COALESCE(bank.decimals, reserve.decimals) AS decimals
   FROM ((bank_limit_change change
     LEFT JOIN bank ON ((bank.address = change.address)))
     LEFT JOIN reserve ON ((reserve.address = change.address)))
  WINDOW before AS (PARTITION BY change.address ORDER BY change.slot);

create view v_newest_sample as
 SELECT rate_series.address,
    rate_series.kind,
    rate_series.venue,
    sample."time",
    sample.slot,
    sample.series,
    sample.deposit_apr,
    sample.borrow_apr,
    sample.native_apr,
    sample.emissions_deposit_apr,
    sample.emissions_borrow_apr,
    sample.utilization,
    sample.total_assets_base,
    sample.total_liabilities_base,
    sample.available_liquidity_base,
    sample.asset_share_value,
    sample.liability_share_value,
    sample.exchange_rate,
    sample.native_exchange_rate,
    sample.slot_ms,
    sample.price_usd
   FROM (rate_series
     CROSS JOIN LATERAL ( SELECT rate_sample."time",
            rate_sample.slot,
            rate_sample.series,
            rate_sample.deposit_apr,
            rate_sample.borrow_apr,
            rate_sample.native_apr,
            rate_sample.emissions_deposit_apr,
            rate_sample.emissions_borrow_apr,
            rate_sample.utilization,
            rate_sample.total_assets_base,
            rate_sample.total_liabilities_base,
            rate_sample.available_liquidity_base,
            rate_sample.asset_share_value,
            rate_sample.liability_share_value,
            rate_sample.exchange_rate,
            rate_sample.native_exchange_rate,
            rate_sample.slot_ms,
            rate_sample.price_usd
           FROM rate_sample
          WHERE (rate_sample.series = rate_series.id)
          ORDER BY rate_sample."time" DESC, rate_sample.slot DESC
         LIMIT 1) sample);

create view v_quarantine as
 SELECT rate_quarantine.venue,
    rate_quarantine.address,
    COALESCE(bank.symbol, reserve.symbol) AS symbol,
    rate_quarantine.recorded_at,
    rate_quarantine."time",
    rate_quarantine.slot,
    rate_quarantine.reason,
    rate_quarantine.detail
   FROM ((rate_quarantine
     LEFT JOIN bank ON ((bank.address = rate_quarantine.address)))
     LEFT JOIN reserve ON ((reserve.address = rate_quarantine.address)));

create view v_rate_day as
 SELECT v_series.address,
    v_series.kind,
    v_series.venue,
    v_series.symbol,
    rate_day.bucket AS "time",
    rate_day.source,
    rate_day.samples,
    (rate_day.covered_seconds)::double precision AS covered_seconds,
    rate_day.slot_first,
    rate_day.slot_last,
    rate_day.deposit_apr,
    venue_apy_pct(rate_day.deposit_apr, v_series.venue) AS deposit_apy_pct,
    venue_apy_pct(rate_day.deposit_apr_min, v_series.venue) AS deposit_apy_min_pct,
    venue_apy_pct(rate_day.deposit_apr_max, v_series.venue) AS deposit_apy_max_pct,
    venue_apy_pct(rate_day.deposit_apr_close, v_series.venue) AS deposit_apy_close_pct,
    rate_day.borrow_apr,
    venue_apy_pct(rate_day.borrow_apr, v_series.venue) AS borrow_apy_pct,
    rate_day.native_apr,
    (((100)::numeric * rate_day.native_apr))::double precision AS native_apr_pct,
    rate_day.emissions_deposit_apr,
    (((100)::numeric * rate_day.emissions_deposit_apr))::double precision AS emissions_deposit_apr_pct,
    (((100)::numeric * rate_day.utilization))::double precision AS utilization_pct,
    (rate_day.total_assets_base / ((10)::numeric ^ (v_series.decimals)::numeric)) AS deposits,
    (rate_day.total_liabilities_base / ((10)::numeric ^ (v_series.decimals)::numeric)) AS borrows,
    ((rate_day.total_assets_base / ((10)::numeric ^ (v_series.decimals)::numeric)) * rate_day.price_usd) AS deposits_usd,
    ((rate_day.total_liabilities_base / ((10)::numeric ^ (v_series.decimals)::numeric)) * rate_day.price_usd) AS borrows_usd,
    rate_day.price_usd,
    rate_day.asset_share_value,
    rate_day.liability_share_value,
    rate_day.exchange_rate,
    rate_day.native_exchange_rate
   FROM (rate_day
     JOIN v_series ON ((v_series.series = rate_day.series)));

create view v_rate_gap as
 SELECT v_series.address,
    v_series.kind,
    v_series.venue,
    v_series.symbol,
    (hour.bucket + '01:00:00'::interval) AS from_time,
    hour.next_bucket AS to_time,
    (((EXTRACT(epoch FROM (hour.next_bucket - hour.bucket)) / (3600)::numeric))::integer - 1) AS hours
   FROM (( SELECT rate_hour.series,
            rate_hour.bucket,
            lead(rate_hour.bucket) OVER (PARTITION BY rate_hour.series ORDER BY rate_hour.bucket) AS next_bucket
           FROM rate_hour) hour
     JOIN v_series ON ((v_series.series = hour.series)))
  WHERE (hour.next_bucket > (hour.bucket + '01:00:00'::interval));

create view v_rate_hour as
 SELECT v_series.address,
    v_series.kind,
    v_series.venue,
    v_series.symbol,
    rate_hour.bucket AS "time",
    rate_hour.source,
    rate_hour.samples,
    (rate_hour.covered_seconds)::double precision AS covered_seconds,
    rate_hour.slot_first,
    rate_hour.slot_last,
    rate_hour.deposit_apr,
    venue_apy_pct(rate_hour.deposit_apr, v_series.venue) AS deposit_apy_pct,
    venue_apy_pct(rate_hour.deposit_apr_min, v_series.venue) AS deposit_apy_min_pct,
    venue_apy_pct(rate_hour.deposit_apr_max, v_series.venue) AS deposit_apy_max_pct,
    venue_apy_pct(rate_hour.deposit_apr_close, v_series.venue) AS deposit_apy_close_pct,
    rate_hour.borrow_apr,
    venue_apy_pct(rate_hour.borrow_apr, v_series.venue) AS borrow_apy_pct,
    rate_hour.native_apr,
    (((100)::numeric * rate_hour.native_apr))::double precision AS native_apr_pct,
    rate_hour.emissions_deposit_apr,
    (((100)::numeric * rate_hour.emissions_deposit_apr))::double precision AS emissions_deposit_apr_pct,
    (((100)::numeric * rate_hour.utilization))::double precision AS utilization_pct,
    (rate_hour.total_assets_base / ((10)::numeric ^ (v_series.decimals)::numeric)) AS deposits,
    (rate_hour.total_liabilities_base / ((10)::numeric ^ (v_series.decimals)::numeric)) AS borrows,
    ((rate_hour.total_assets_base / ((10)::numeric ^ (v_series.decimals)::numeric)) * rate_hour.price_usd) AS deposits_usd,
    ((rate_hour.total_liabilities_base / ((10)::numeric ^ (v_series.decimals)::numeric)) * rate_hour.price_usd) AS borrows_usd,
    rate_hour.price_usd,
    rate_hour.asset_share_value,
    rate_hour.liability_share_value,
    rate_hour.exchange_rate,
    rate_hour.native_exchange_rate
   FROM (rate_hour
     JOIN v_series ON ((v_series.series = rate_hour.series)));

create view v_reserve as
 SELECT reserve.address AS reserve,
    reserve.symbol,
    reserve.mint,
    reserve.venue,
    reserve.market,
    reserve.market_name,
    reserve.status,
    reserve.status_reasons,
    ARRAY( SELECT bank.address
           FROM bank
          WHERE (bank.venue_account = reserve.address)
          ORDER BY bank.address) AS banks,
    sample."time",
    sample.slot,
    (EXTRACT(epoch FROM (now() - sample."time")))::double precision AS age_seconds,
    sample.deposit_apr,
    venue_apy_pct(sample.deposit_apr, reserve.venue) AS deposit_apy_pct,
    sample.borrow_apr,
    venue_apy_pct(sample.borrow_apr, reserve.venue) AS borrow_apy_pct,
    sample.native_apr,
    (((100)::numeric * sample.native_apr))::double precision AS native_apr_pct,
    sample.emissions_deposit_apr,
    (((100)::numeric * sample.emissions_deposit_apr))::double precision AS emissions_deposit_apr_pct,
    (((100)::numeric * sample.utilization))::double precision AS utilization_pct,
    (sample.total_assets_base / ((10)::numeric ^ (reserve.decimals)::numeric)) AS deposits,
    (sample.total_liabilities_base / ((10)::numeric ^ (reserve.decimals)::numeric)) AS borrows,
    (sample.available_liquidity_base / ((10)::numeric ^ (reserve.decimals)::numeric)) AS available_liquidity,
    ((sample.total_assets_base / ((10)::numeric ^ (reserve.decimals)::numeric)) * COALESCE(sample.price_usd, reserve.price_usd)) AS deposits_usd,
    ((sample.total_liabilities_base / ((10)::numeric ^ (reserve.decimals)::numeric)) * COALESCE(sample.price_usd, reserve.price_usd)) AS borrows_usd,
    COALESCE(sample.price_usd, reserve.price_usd) AS price_usd,
    (reserve.deposit_limit_base / ((10)::numeric ^ (reserve.decimals)::numeric)) AS deposit_limit,
    (reserve.deposit_room_base / ((10)::numeric ^ (reserve.decimals)::numeric)) AS deposit_room,
    (reserve.borrow_limit_base / ((10)::numeric ^ (reserve.decimals)::numeric)) AS borrow_limit,
    (reserve.borrow_room_base / ((10)::numeric ^ (reserve.decimals)::numeric)) AS borrow_room,
    (reserve.withdraw_room_base / ((10)::numeric ^ (reserve.decimals)::numeric)) AS withdraw_room,
    sample.exchange_rate,
    sample.native_exchange_rate,
    sample.slot_ms
   FROM (reserve
     LEFT JOIN v_newest_sample sample ON ((sample.address = reserve.address)));

create view v_series as
 SELECT rate_series.id AS series,
    rate_series.address,
    rate_series.kind,
    rate_series.venue,
    COALESCE(bank.symbol, reserve.symbol) AS symbol,
    COALESCE(bank.mint, reserve.mint) AS mint,
    COALESCE(bank.decimals, reserve.decimals) AS decimals
   FROM ((rate_series
     LEFT JOIN bank ON ((bank.address = rate_series.address)))
     LEFT JOIN reserve ON ((reserve.address = rate_series.address)));

create view v_swap_quote as
 WITH symbols AS (
         SELECT DISTINCT ON (named.mint) named.mint,
            named.symbol
           FROM ( SELECT bank.mint,
                    bank.symbol
                   FROM bank
                  WHERE (bank.symbol IS NOT NULL)
                UNION ALL
                 SELECT reserve.mint,
                    reserve.symbol
                   FROM reserve
                  WHERE (reserve.symbol IS NOT NULL)) named
          ORDER BY named.mint, named.symbol
        ), rung AS (
         SELECT swap_quote.in_mint,
            swap_quote.out_mint,
            (jsonb_array_elements.ordinality)::integer AS rung,
            (jsonb_array_elements.value ->> 'aggregator'::text) AS aggregator,
            (((jsonb_array_elements.value ->> 'inBase'::text))::numeric / ((10)::numeric ^ (swap_quote.in_decimals)::numeric)) AS in_amount,
            (((jsonb_array_elements.value ->> 'outBase'::text))::numeric / ((10)::numeric ^ (swap_quote.out_decimals)::numeric)) AS out_amount
           FROM (swap_quote
             CROSS JOIN LATERAL jsonb_array_elements(swap_quote.rungs) WITH ORDINALITY jsonb_array_elements(value, ordinality))
        )
 SELECT quote.in_mint,
    ins.symbol AS in_symbol,
    quote.out_mint,
    outs.symbol AS out_symbol,
    quote.slot_time AS "time",
    quote.slot,
    (EXTRACT(epoch FROM (now() - quote.slot_time)))::double precision AS age_seconds,
    quote.in_price_usd,
    quote.out_price_usd,
    rung.rung,
    rung.aggregator,
    rung.in_amount,
    rung.out_amount,
    (rung.in_amount * quote.in_price_usd) AS size_usd,
    (((10000)::numeric * ((1)::numeric - ((rung.out_amount * quote.out_price_usd) / NULLIF((rung.in_amount * quote.in_price_usd), (0)::numeric)))))::double precision AS cost_bps,
    (((10000)::numeric * ((1)::numeric - ((rung.out_amount / NULLIF(rung.in_amount, (0)::numeric)) / NULLIF((first.out_amount / NULLIF(first.in_amount, (0)::numeric)), (0)::numeric)))))::double precision AS impact_bps,
    quote.ladder_end
   FROM ((((swap_quote quote
     LEFT JOIN rung ON (((rung.in_mint = quote.in_mint) AND (rung.out_mint = quote.out_mint))))
     LEFT JOIN rung first ON (((first.in_mint = quote.in_mint) AND (first.out_mint = quote.out_mint) AND (first.rung = 1))))
     LEFT JOIN symbols ins ON ((ins.mint = quote.in_mint)))
     LEFT JOIN symbols outs ON ((outs.mint = quote.out_mint)));

CREATE OR REPLACE FUNCTION public.take_permits(asking text, asked_scopes text[], limits bigint[], needs integer[], wants integer[], counts_ms double precision[], OUT granted boolean, OUT scopes text[], OUT counts integer[], OUT ends_in_ms integer[])
 RETURNS record
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  known rate_window;
  -- Read once it is this asker's turn, so that no grant is dated before one that it counts.
  seen_at timestamptz;
  rooms bigint[];
begin
  loop
    select * into known from rate_window where client = asking for update;
    exit when found;
    insert into rate_window (client) values (asking) on conflict do nothing;
  end loop;
  seen_at := clock_timestamp();

  -- After the clock was set back nothing counts longer than it would if it was granted now.
  select
    coalesce(array_agg(scope), '{}'), coalesce(array_agg(count), '{}'),
    coalesce(array_agg(least("end", seen_at + ms * interval '1 ms')), '{}')
  into known.scopes, known.counts, known.ends
  from unnest(known.scopes, known.counts, known.ends) as counted (scope, count, "end")
  left join unnest(asked_scopes, counts_ms) as asked (scope, ms) using (scope)
  where "end" > seen_at;

  select bool_and(room >= need), array_agg(room order by nth)
  into granted, rooms
  from (
    select nth, need, most - coalesce(sum(count), 0) as room
    from unnest(asked_scopes, limits, needs) with ordinality as asked (scope, most, need, nth)
    left join unnest(known.scopes, known.counts) as counted (scope, count) using (scope)
    group by nth, need, most
  ) as asked;

  if granted then
    known.scopes := known.scopes || asked_scopes;
    known.counts := known.counts || array(select least(want, room)::integer from unnest(wants, rooms) as asked (want, room));
    known.ends := known.ends || array(select seen_at + ms * interval '1 ms' from unnest(counts_ms) as ms);
  end if;
  update rate_window set
    scopes = known.scopes, counts = known.counts, ends = known.ends,
    lapses_at = coalesce((select max("end") from unnest(known.ends) as "end"), seen_at)
  where client = asking;

  select
    coalesce(array_agg(scope order by nth), '{}'), coalesce(array_agg(count order by nth), '{}'),
    coalesce(array_agg(ceil(extract(epoch from "end" - seen_at) * 1000)::integer order by nth), '{}')
  into scopes, counts, ends_in_ms
  from unnest(known.scopes, known.counts, known.ends) with ordinality as counted (scope, count, "end", nth)
  where scope = any (asked_scopes);
end
$function$
;

CREATE OR REPLACE FUNCTION public.venue_apy_pct(apr numeric, venue text)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE venue WHEN 'juplend'::text THEN ((100)::double precision * (apr)::double precision) WHEN 'drift'::text THEN ((100)::double precision * (exp((apr)::double precision) - (1)::double precision)) WHEN 'p0'::text THEN ((100)::double precision * (exp(((((apr)::double precision - (((apr)::double precision ^ (2)::double precision) / ((2)::double precision * (8766.0)::double precision))) + (((apr)::double precision ^ (3)::double precision) / ((3)::double precision * ((8766.0)::double precision ^ (2)::double precision)))) - (((apr)::double precision ^ (4)::double precision) / ((4)::double precision * ((8766.0)::double precision ^ (3)::double precision))))) - (1)::double precision)) ELSE ((100)::double precision * (exp((((apr)::double precision - (((apr)::double precision ^ (2)::double precision) / ((2)::double precision * (63072000.0)::double precision))) + (((apr)::double precision ^ (3)::double precision) / ((3)::double precision * ((63072000.0)::double precision ^ (2)::double precision))))) - (1)::double precision)) END
;

comment on column activity.key is 'md5 of signature:instruction_index[:inner_index]';

comment on column activity.actor is 'who signed for it, where that is not the authority';

comment on column bank.slot is 'slot of the newest account state written here; an older one never overwrites it';

comment on column bank_limit_change.deposit_limit_base is 'base units, for banks on other venues in their receipts; null is no limit';

comment on column bank_limit_change.value_limit_usd is 'most USD that a bank counts as collateral; reserves have none';

comment on column dead_topic.topic is 'the topic that they were set aside from';

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

comment on view v_account is 'A lending account as it was last seen; time and slot say when';

comment on view v_activity is 'A leg of what was done to an account, and one row without leg where nothing moved';

comment on view v_balance is 'A slot in use of an account. *_base: in the bank''s units, at its newest share values; null where it was not measured';

comment on view v_bank is 'Every bank with its newest rates, sizes in UI tokens and USD, its limits and those of the reserve behind it';

comment on view v_bank_audit is 'How our figures of a bank compare with the program''s own: differences in raw units of the field, ours less the program''s';

comment on view v_group_change is 'What happened to a bank, the group or the liquidation tag of an account; detail as the program has it';

comment on view v_index_progress is 'How far reading the past has come, beside how far the indexer has come';

comment on view v_limit_change is 'How limits changed, each beside the one before. Null is no limit, or nothing known before where is_first. Base units; of banks on other venues in receipts';

comment on view v_newest_sample is 'The newest sample of every bank and reserve, as it was stored: fractions of one, base units';

comment on view v_quarantine is 'Readings that were not believed, and why. Nothing is answered from them';

comment on view v_rate_day is 'Rates by the day (UTC), up to yesterday; a day without a sample has no row. Means are weighed by the time that samples cover';

comment on view v_rate_gap is 'Hours in which a bank or reserve was not sampled at all, between hours in which it was: one row for each stretch';

comment on view v_rate_hour is 'Rates by the hour, up to some minutes after the last full one; an hour without a sample has no row. Means are weighed by time';

comment on view v_reserve is 'Every reserve of the other venues with its newest rates, sizes in UI tokens and USD, limits and rooms, and the banks that lend through it';

comment on view v_series is 'Every bank and reserve that was ever sampled, by the number that samples name it by';

comment on view v_swap_quote is 'What aggregators last said of swapping one mint for another: one row for each size, one without size where there was no route';
