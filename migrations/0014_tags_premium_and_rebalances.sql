-- What 0.1.12 of the lending program writes into accounts, and the orders to rebalance them.

-- Unix seconds; null: not tagged for liquidation.
alter table account add column liquidation_tagged_at bigint;

-- Of debts in banks that charge premium, as the program stores them: the rate (u32::MAX is 1000 % a year) and base units owed at last_update.
alter table balance
  add column premium_rate bigint not null default 0,
  add column premium_outstanding numeric not null default 0;

create table rebalance_order (
  address text primary key,
  account text not null,
  -- Null on orders that are gone, as all that follows.
  mint text,
  banks text[],
  -- By how much a bank must pay more, as a fraction of one a year.
  min_improvement numeric,
  cooldown_seconds numeric,
  -- Base units that one execution moves at most; null: all.
  amount_base numeric,
  keeper_tip_lamports numeric,
  -- Unix seconds; null: never.
  last_executed_at numeric,
  -- What the account set aside for tips.
  fee_pool_lamports numeric,
  is_closed boolean not null,
  source text not null check (source in ('chain', 'localnet')),
  slot bigint not null,
  write_version numeric,
  slot_time timestamptz not null
);
create index rebalance_order_account on rebalance_order (account);
