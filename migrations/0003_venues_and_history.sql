-- Reserves of the venues behind P0, samples by series instead of by address, their hours and days, and how limits changed.

create table reserve (
  address text primary key,
  venue text not null check (venue in ('kamino', 'drift', 'solend', 'juplend')),
  market text not null,
  market_name text,
  mint text not null,
  decimals smallint not null,
  symbol text,
  status text not null check (status in ('active', 'restricted', 'closed', 'suspended', 'unknown')),
  status_reasons text[] not null,
  deposit_limit_base numeric,
  deposit_room_base numeric,
  borrow_limit_base numeric,
  borrow_room_base numeric,
  withdraw_room_base numeric not null,
  price_usd numeric,
  price_time timestamptz,
  incentives jsonb not null,
  source text not null check (source in ('chain', 'localnet')),
  slot bigint not null,
  slot_time timestamptz not null
);
comment on table reserve is 'A pool of a venue that is not P0. A limit or room of null is none: anything fits';
comment on column reserve.slot is 'slot of the newest reading written here; an older one never overwrites it';
create index reserve_mint on reserve (mint);
create index bank_venue_account on bank (venue_account);

-- Whose samples they are. A sample names its series by four bytes instead of an address of 44.
create table rate_series (
  id integer generated always as identity primary key,
  address text not null unique,
  kind text not null check (kind in ('bank', 'reserve')),
  venue text not null check (venue in ('p0', 'kamino', 'drift', 'solend', 'juplend')),
  source text not null check (source in ('chain', 'localnet'))
);
comment on column rate_series.source is 'which chain the samples are of; one database holds one chain';

alter table rate_sample rename to rate_sample_by_bank;
alter index rate_sample_pkey rename to rate_sample_by_bank_pkey;

-- Immutable. One row for a series, time and slot; partitioned by day of UTC so that raw samples can be dropped by age. Fixed widths
-- first, so that nothing is padded. The key leads with the series because every read asks for one; samples of a series come in the
-- order of time, so that an insert touches the newest page of each and that stays in memory.
create table rate_sample (
  time timestamptz not null,
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
  primary key (series, time, slot)
) partition by range (time);
comment on column rate_sample.deposit_apr is 'interest alone; all APRs and utilization are fractions of one with 18 decimals at most';
comment on column rate_sample.exchange_rate is 'tokens that one whole receipt of the venue is worth; null on P0''s own banks';
comment on column rate_sample.native_exchange_rate is 'SOL that one whole token is worth in its stake pool';
comment on column rate_sample.slot_ms is 'measured slot time that went into slot-based rates';

insert into rate_series (address, kind, venue, source)
select distinct on (bank) bank, 'bank', venue, source from rate_sample_by_bank order by bank, time desc, slot desc;

do $$
declare
  old record;
begin
  for old in
    select child.relname as name, pg_get_expr(child.relpartbound, child.oid) as bounds
    from pg_inherits join pg_class as child on child.oid = inhrelid
    where inhparent = 'rate_sample_by_bank'::regclass
    order by child.relname
  loop
    execute format('alter table rate_sample_by_bank detach partition %I', old.name);
    execute format('alter table %I rename to rate_sample_carried', old.name);
    execute format('create table %I (like rate_sample)', old.name);
    execute format(
      'insert into %I (
         time, slot, series, deposit_apr, borrow_apr, utilization, total_assets_base, total_liabilities_base,
         available_liquidity_base, asset_share_value, liability_share_value, price_usd
       )
       select
         time, slot, rate_series.id, deposit_apr, borrow_apr, utilization, total_assets_base, total_liabilities_base,
         available_liquidity_base, asset_share_value, liability_share_value, price_usd
       from rate_sample_carried
       join rate_series on rate_series.address = rate_sample_carried.bank
       order by time, slot, rate_series.id',
      old.name
    );
    drop table rate_sample_carried;
    -- Makes the partition's primary key, too.
    execute format('alter table rate_sample attach partition %I %s', old.name, old.bounds);
  end loop;
end
$$;
drop table rate_sample_by_bank;

-- An hour of a series: means weighed by the time that samples speak for, and what the last sample said. An hour without a sample has
-- no row: a gap. The key carries all columns along, so that a year of one series is read from neighbouring pages, whatever else
-- the table holds.
create table rate_hour (
  series integer not null,
  bucket timestamptz not null,
  source text not null check (source in ('poller', 'backfill_venue_api', 'backfill_account_changes')),
  samples integer not null,
  covered_seconds numeric not null,
  time_first timestamptz not null,
  time_last timestamptz not null,
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
  primary key (series, bucket) include (
    source, samples, covered_seconds, time_first, time_last, slot_first, slot_last,
    deposit_apr, deposit_apr_min, deposit_apr_max, deposit_apr_close, borrow_apr, native_apr,
    emissions_deposit_apr, emissions_borrow_apr, utilization,
    total_assets_base, total_liabilities_base, available_liquidity_base,
    asset_share_value, liability_share_value, exchange_rate, native_exchange_rate, price_usd
  )
);
-- An index is read alone only where the pages are known to be visible to all, which vacuuming finds out.
alter table rate_hour set (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_scale_factor = 0.01);
create index rate_hour_bucket on rate_hour using brin (bucket) with (pages_per_range = 32, autosummarize = on);
comment on column rate_hour.covered_seconds is 'seconds of the hour that samples speak for, each until the next one and for 120 s at most';
comment on column rate_hour.source is 'who saw it; a backfilled row stands only where nothing was polled, and has no samples and no slots';

-- A day of a series, from its hours by the seconds they cover. Days are kept for ever.
create table rate_day (
  series integer not null,
  bucket timestamptz not null,
  source text not null check (source in ('poller', 'backfill_venue_api', 'backfill_account_changes')),
  samples integer not null,
  covered_seconds numeric not null,
  time_first timestamptz not null,
  time_last timestamptz not null,
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
  primary key (series, bucket)
);

-- How far rolling up came. `settled_before` moves first, alone: from then on a sample before it is late, and whoever writes one puts
-- its hour on the due list in the same transaction. Then the hours up to it are rolled up, and `rolled_before` follows.
create table rate_roll_up (
  only_one boolean primary key default true check (only_one),
  settled_before timestamptz,
  rolled_before timestamptz,
  raw_from timestamptz
);
comment on column rate_roll_up.rolled_before is 'every hour before it is in rate_hour, every whole day before it in rate_day; later ones are computed from samples';
comment on column rate_roll_up.raw_from is 'samples before it were dropped for age; a replayed one is left out, its hour holds more than it';
insert into rate_roll_up default values;

-- Hours to be rolled up again, because a sample came late.
create table rate_roll_up_due (
  series integer not null,
  bucket timestamptz not null,
  touches integer not null default 1,
  primary key (series, bucket)
);

-- How the limits of banks and reserves changed. The first row of an address is what was seen first.
create table bank_limit_change (
  address text not null,
  slot bigint not null,
  time timestamptz not null,
  kind text not null check (kind in ('bank', 'reserve')),
  venue text not null check (venue in ('p0', 'kamino', 'drift', 'solend', 'juplend')),
  deposit_limit_base numeric,
  borrow_limit_base numeric,
  value_limit_usd numeric,
  source text not null check (source in ('chain', 'localnet')),
  primary key (address, slot)
);
comment on column bank_limit_change.value_limit_usd is 'most USD that a bank counts as collateral; reserves have none';
comment on column bank_limit_change.deposit_limit_base is 'base units, for banks on other venues in their receipts; null is no limit';
insert into bank_limit_change (
  address, slot, time, kind, venue, deposit_limit_base, borrow_limit_base, value_limit_usd, source
)
select address, slot, slot_time, 'bank', venue, deposit_limit_base, borrow_limit_base, total_asset_value_init_limit_usd, source
from bank;

-- Samples that were read and not believed.
create table rate_quarantine (
  address text not null,
  slot bigint not null,
  reason text not null,
  time timestamptz not null,
  venue text not null check (venue in ('p0', 'kamino', 'drift', 'solend', 'juplend')),
  detail text not null,
  source text not null check (source in ('chain', 'localnet')),
  recorded_at timestamptz not null default now(),
  primary key (address, slot, reason)
);
comment on column rate_quarantine.recorded_at is 'by our clock: the time of a reading whose clock jumped says nothing';
create index rate_quarantine_recorded on rate_quarantine (recorded_at);
