-- What swapping one mint for another gave when it was last asked, at growing sizes. rungs is what the message says:
-- [{inBase, outBase, aggregator}], smallest first.
create table swap_quote (
  in_mint text not null,
  out_mint text not null,
  in_decimals smallint not null,
  out_decimals smallint not null,
  in_price_usd numeric not null,
  out_price_usd numeric not null,
  rungs jsonb not null,
  ladder_end text not null check (ladder_end in ('passed_largest', 'impact', 'no_route')),
  source text not null check (source in ('chain', 'localnet')),
  slot bigint not null,
  slot_time timestamptz not null,
  primary key (in_mint, out_mint)
);

-- For dashboards, as the views of 0004: names and columns are kept, and a column that comes later comes last.
create view v_swap_quote as
with symbols as (
  select distinct on (mint) mint, symbol
  from (
    select mint, symbol from bank where symbol is not null
    union all
    select mint, symbol from reserve where symbol is not null
  ) as named
  order by mint, symbol
),
rung as (
  select
    in_mint,
    out_mint,
    ordinality::integer as rung,
    value ->> 'aggregator' as aggregator,
    (value ->> 'inBase')::numeric / 10::numeric ^ in_decimals as in_amount,
    (value ->> 'outBase')::numeric / 10::numeric ^ out_decimals as out_amount
  from swap_quote
  cross join lateral jsonb_array_elements(rungs) with ordinality
)
select
  quote.in_mint,
  ins.symbol as in_symbol,
  quote.out_mint,
  outs.symbol as out_symbol,
  quote.slot_time as time,
  quote.slot,
  extract(epoch from now() - quote.slot_time)::float8 as age_seconds,
  quote.in_price_usd,
  quote.out_price_usd,
  rung.rung,
  rung.aggregator,
  rung.in_amount,
  rung.out_amount,
  rung.in_amount * quote.in_price_usd as size_usd,
  (10000 * (1 - rung.out_amount * quote.out_price_usd / nullif(rung.in_amount * quote.in_price_usd, 0)))::float8 as cost_bps,
  (10000 * (1 - rung.out_amount / nullif(rung.in_amount, 0) / nullif(first.out_amount / nullif(first.in_amount, 0), 0)))::float8
    as impact_bps,
  quote.ladder_end
from swap_quote as quote
left join rung on rung.in_mint = quote.in_mint and rung.out_mint = quote.out_mint
left join rung as first on first.in_mint = quote.in_mint and first.out_mint = quote.out_mint and first.rung = 1
left join symbols as ins on ins.mint = quote.in_mint
left join symbols as outs on outs.mint = quote.out_mint;
comment on view v_swap_quote is 'What aggregators last said of swapping one mint for another: one row for each size, one without size where there was no route';
