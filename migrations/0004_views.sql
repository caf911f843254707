-- What dashboards read: addresses and symbols instead of numbers, UI tokens instead of base units, percent beside fractions.
-- Names and columns of views are kept; a column that comes later comes last.

-- Percent a year of an APR, compounded the way the venue does, as domain's venueApy. n·ln(1 + r/n) by its series: for so large an n
-- the logarithm of a number this near to one would lose the digits that matter.
create function venue_apy_pct(apr numeric, venue text) returns double precision
language sql immutable strict parallel safe
return case venue
  when 'juplend' then 100 * apr::float8
  when 'drift' then 100 * (exp(apr::float8) - 1)
  when 'p0' then 100 * (exp(
    apr::float8 - apr::float8 ^ 2 / (2 * 8766.0::float8) + apr::float8 ^ 3 / (3 * 8766.0::float8 ^ 2)
      - apr::float8 ^ 4 / (4 * 8766.0::float8 ^ 3)
  ) - 1)
  else 100 * (exp(
    apr::float8 - apr::float8 ^ 2 / (2 * 63072000.0::float8) + apr::float8 ^ 3 / (3 * 63072000.0::float8 ^ 2)
  ) - 1)
end;
comment on function venue_apy_pct(numeric, text) is 'Percent a year of an APR (fraction of one), compounded as the venue does';

-- The newest sample of a bank or reserve: one probe of the key each, however long the history is.
create view v_newest_sample as
select rate_series.address, rate_series.kind, rate_series.venue, sample.*
from rate_series
cross join lateral (
  select * from rate_sample where rate_sample.series = rate_series.id order by time desc, slot desc limit 1
) as sample;
comment on view v_newest_sample is 'The newest sample of every bank and reserve, as it was stored: fractions of one, base units';

create view v_bank as
select
  bank.address as bank,
  bank.symbol,
  bank.mint,
  bank.venue,
  bank.venue_account as reserve,
  bank.operational_state,
  bank.risk_tier,
  reserve.status as reserve_status,
  sample.time,
  sample.slot,
  extract(epoch from now() - sample.time)::float8 as age_seconds,
  sample.deposit_apr,
  venue_apy_pct(sample.deposit_apr, bank.venue) as deposit_apy_pct,
  sample.borrow_apr,
  venue_apy_pct(sample.borrow_apr, bank.venue) as borrow_apy_pct,
  sample.native_apr,
  (100 * sample.native_apr)::float8 as native_apr_pct,
  sample.emissions_deposit_apr,
  (100 * sample.emissions_deposit_apr)::float8 as emissions_deposit_apr_pct,
  sample.emissions_borrow_apr,
  (100 * sample.emissions_borrow_apr)::float8 as emissions_borrow_apr_pct,
  (100 * sample.utilization)::float8 as utilization_pct,
  sample.total_assets_base / 10::numeric ^ bank.decimals as deposits,
  sample.total_liabilities_base / 10::numeric ^ bank.decimals as borrows,
  sample.available_liquidity_base / 10::numeric ^ bank.decimals as available_liquidity,
  sample.total_assets_base / 10::numeric ^ bank.decimals * sample.price_usd as deposits_usd,
  sample.total_liabilities_base / 10::numeric ^ bank.decimals * sample.price_usd as borrows_usd,
  sample.price_usd,
  -- A bank on another venue counts its limit in receipts; Drift's have nine decimals whatever the mint has.
  case
    when bank.venue = 'p0' then bank.deposit_limit_base / 10::numeric ^ bank.decimals
    else bank.deposit_limit_base * sample.exchange_rate
      / 10::numeric ^ case when bank.venue = 'drift' then 9 else bank.decimals end
  end as deposit_limit,
  bank.borrow_limit_base / 10::numeric ^ bank.decimals as borrow_limit,
  bank.total_asset_value_init_limit_usd as value_limit_usd,
  reserve.deposit_limit_base / 10::numeric ^ reserve.decimals as reserve_deposit_limit,
  reserve.deposit_room_base / 10::numeric ^ reserve.decimals as reserve_deposit_room,
  sample.asset_share_value,
  sample.liability_share_value,
  sample.exchange_rate,
  sample.native_exchange_rate,
  sample.slot_ms
from bank
left join v_newest_sample as sample on sample.address = bank.address
left join reserve on reserve.address = bank.venue_account;
comment on view v_bank is 'Every bank with its newest rates, sizes in UI tokens and USD, its limits and those of the reserve behind it';

create view v_reserve as
select
  reserve.address as reserve,
  reserve.symbol,
  reserve.mint,
  reserve.venue,
  reserve.market,
  reserve.market_name,
  reserve.status,
  reserve.status_reasons,
  array(select bank.address from bank where bank.venue_account = reserve.address order by bank.address) as banks,
  sample.time,
  sample.slot,
  extract(epoch from now() - sample.time)::float8 as age_seconds,
  sample.deposit_apr,
  venue_apy_pct(sample.deposit_apr, reserve.venue) as deposit_apy_pct,
  sample.borrow_apr,
  venue_apy_pct(sample.borrow_apr, reserve.venue) as borrow_apy_pct,
  sample.native_apr,
  (100 * sample.native_apr)::float8 as native_apr_pct,
  sample.emissions_deposit_apr,
  (100 * sample.emissions_deposit_apr)::float8 as emissions_deposit_apr_pct,
  (100 * sample.utilization)::float8 as utilization_pct,
  sample.total_assets_base / 10::numeric ^ reserve.decimals as deposits,
  sample.total_liabilities_base / 10::numeric ^ reserve.decimals as borrows,
  sample.available_liquidity_base / 10::numeric ^ reserve.decimals as available_liquidity,
  sample.total_assets_base / 10::numeric ^ reserve.decimals * coalesce(sample.price_usd, reserve.price_usd) as deposits_usd,
  sample.total_liabilities_base / 10::numeric ^ reserve.decimals * coalesce(sample.price_usd, reserve.price_usd) as borrows_usd,
  coalesce(sample.price_usd, reserve.price_usd) as price_usd,
  reserve.deposit_limit_base / 10::numeric ^ reserve.decimals as deposit_limit,
  reserve.deposit_room_base / 10::numeric ^ reserve.decimals as deposit_room,
  reserve.borrow_limit_base / 10::numeric ^ reserve.decimals as borrow_limit,
  reserve.borrow_room_base / 10::numeric ^ reserve.decimals as borrow_room,
  reserve.withdraw_room_base / 10::numeric ^ reserve.decimals as withdraw_room,
  sample.exchange_rate,
  sample.native_exchange_rate,
  sample.slot_ms
from reserve
left join v_newest_sample as sample on sample.address = reserve.address;
comment on view v_reserve is 'Every reserve of the other venues with its newest rates, sizes in UI tokens and USD, limits and rooms, and the banks that lend through it';

-- Whose series it is, in words: what the histories below begin with.
create view v_series as
select
  rate_series.id as series,
  rate_series.address,
  rate_series.kind,
  rate_series.venue,
  coalesce(bank.symbol, reserve.symbol) as symbol,
  coalesce(bank.mint, reserve.mint) as mint,
  coalesce(bank.decimals, reserve.decimals) as decimals
from rate_series
left join bank on bank.address = rate_series.address
left join reserve on reserve.address = rate_series.address;
comment on view v_series is 'Every bank and reserve that was ever sampled, by the number that samples name it by';

create view v_rate_hour as
select
  v_series.address,
  v_series.kind,
  v_series.venue,
  v_series.symbol,
  rate_hour.bucket as time,
  rate_hour.source,
  rate_hour.samples,
  rate_hour.covered_seconds::float8 as covered_seconds,
  rate_hour.slot_first,
  rate_hour.slot_last,
  rate_hour.deposit_apr,
  venue_apy_pct(rate_hour.deposit_apr, v_series.venue) as deposit_apy_pct,
  venue_apy_pct(rate_hour.deposit_apr_min, v_series.venue) as deposit_apy_min_pct,
  venue_apy_pct(rate_hour.deposit_apr_max, v_series.venue) as deposit_apy_max_pct,
  venue_apy_pct(rate_hour.deposit_apr_close, v_series.venue) as deposit_apy_close_pct,
  rate_hour.borrow_apr,
  venue_apy_pct(rate_hour.borrow_apr, v_series.venue) as borrow_apy_pct,
  rate_hour.native_apr,
  (100 * rate_hour.native_apr)::float8 as native_apr_pct,
  rate_hour.emissions_deposit_apr,
  (100 * rate_hour.emissions_deposit_apr)::float8 as emissions_deposit_apr_pct,
  (100 * rate_hour.utilization)::float8 as utilization_pct,
  rate_hour.total_assets_base / 10::numeric ^ v_series.decimals as deposits,
  rate_hour.total_liabilities_base / 10::numeric ^ v_series.decimals as borrows,
  rate_hour.total_assets_base / 10::numeric ^ v_series.decimals * rate_hour.price_usd as deposits_usd,
  rate_hour.total_liabilities_base / 10::numeric ^ v_series.decimals * rate_hour.price_usd as borrows_usd,
  rate_hour.price_usd,
  rate_hour.asset_share_value,
  rate_hour.liability_share_value,
  rate_hour.exchange_rate,
  rate_hour.native_exchange_rate
from rate_hour
join v_series on v_series.series = rate_hour.series;
comment on view v_rate_hour is 'Rates by the hour, up to some minutes after the last full one; an hour without a sample has no row. Means are weighed by time';

create view v_rate_day as
select
  v_series.address,
  v_series.kind,
  v_series.venue,
  v_series.symbol,
  rate_day.bucket as time,
  rate_day.source,
  rate_day.samples,
  rate_day.covered_seconds::float8 as covered_seconds,
  rate_day.slot_first,
  rate_day.slot_last,
  rate_day.deposit_apr,
  venue_apy_pct(rate_day.deposit_apr, v_series.venue) as deposit_apy_pct,
  venue_apy_pct(rate_day.deposit_apr_min, v_series.venue) as deposit_apy_min_pct,
  venue_apy_pct(rate_day.deposit_apr_max, v_series.venue) as deposit_apy_max_pct,
  venue_apy_pct(rate_day.deposit_apr_close, v_series.venue) as deposit_apy_close_pct,
  rate_day.borrow_apr,
  venue_apy_pct(rate_day.borrow_apr, v_series.venue) as borrow_apy_pct,
  rate_day.native_apr,
  (100 * rate_day.native_apr)::float8 as native_apr_pct,
  rate_day.emissions_deposit_apr,
  (100 * rate_day.emissions_deposit_apr)::float8 as emissions_deposit_apr_pct,
  (100 * rate_day.utilization)::float8 as utilization_pct,
  rate_day.total_assets_base / 10::numeric ^ v_series.decimals as deposits,
  rate_day.total_liabilities_base / 10::numeric ^ v_series.decimals as borrows,
  rate_day.total_assets_base / 10::numeric ^ v_series.decimals * rate_day.price_usd as deposits_usd,
  rate_day.total_liabilities_base / 10::numeric ^ v_series.decimals * rate_day.price_usd as borrows_usd,
  rate_day.price_usd,
  rate_day.asset_share_value,
  rate_day.liability_share_value,
  rate_day.exchange_rate,
  rate_day.native_exchange_rate
from rate_day
join v_series on v_series.series = rate_day.series;
comment on view v_rate_day is 'Rates by the day (UTC), up to yesterday; a day without a sample has no row. Means are weighed by the time that samples cover';

create view v_limit_change as
select
  change.address,
  change.kind,
  change.venue,
  coalesce(bank.symbol, reserve.symbol) as symbol,
  change.time,
  change.slot,
  change.deposit_limit_base,
  lag(change.deposit_limit_base) over before as deposit_limit_base_before,
  change.borrow_limit_base,
  lag(change.borrow_limit_base) over before as borrow_limit_base_before,
  change.value_limit_usd,
  lag(change.value_limit_usd) over before as value_limit_usd_before,
  row_number() over before = 1 as is_first,
  coalesce(bank.decimals, reserve.decimals) as decimals
from bank_limit_change as change
left join bank on bank.address = change.address
left join reserve on reserve.address = change.address
window before as (partition by change.address order by change.slot);
comment on view v_limit_change is 'How limits changed, each beside the one before. Null is no limit, or nothing known before where is_first. Base units; of banks on other venues in receipts';

create view v_rate_gap as
select
  v_series.address,
  v_series.kind,
  v_series.venue,
  v_series.symbol,
  hour.bucket + interval '1 hour' as from_time,
  hour.next_bucket as to_time,
  (extract(epoch from hour.next_bucket - hour.bucket) / 3600)::integer - 1 as hours
from (
  select series, bucket, lead(bucket) over (partition by series order by bucket) as next_bucket from rate_hour
) as hour
join v_series on v_series.series = hour.series
where hour.next_bucket > hour.bucket + interval '1 hour';
comment on view v_rate_gap is 'Hours in which a bank or reserve was not sampled at all, between hours in which it was: one row for each stretch';

create view v_quarantine as
select
  rate_quarantine.venue,
  rate_quarantine.address,
  coalesce(bank.symbol, reserve.symbol) as symbol,
  rate_quarantine.recorded_at,
  rate_quarantine.time,
  rate_quarantine.slot,
  rate_quarantine.reason,
  rate_quarantine.detail
from rate_quarantine
left join bank on bank.address = rate_quarantine.address
left join reserve on reserve.address = rate_quarantine.address;
comment on view v_quarantine is 'Readings that were not believed, and why. Nothing is answered from them';
