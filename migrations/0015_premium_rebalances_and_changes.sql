-- What events of 0.1.12 say of activity, and what happens to banks and their group.

-- Base units: how much of the amount paid premium, and what was given up besides it. Null where nothing was told.
alter table activity_leg
  add column premium_settled numeric,
  add column premium_written_off numeric;

-- What an execution of an order to rebalance moved, or how its tip was settled; both name the record that stands for the execution.
alter table activity add column rebalance jsonb;

-- What happened to a bank, the group or the liquidation tag of an account. Rows are added; those of events are
-- deleted when their slot turns out to be dropped.
create table group_change (
  -- Of events `signature:instruction[:inner]#event`; of tags `account:slot[:write]`.
  id text not null,
  slot bigint not null,
  time timestamptz not null,
  kind text not null,
  -- The bank or account; the group where it is of all banks, or the program told no bank.
  address text not null,
  -- Null where the account's own bytes told it, and no transaction.
  actor text,
  detail jsonb not null,
  primary key (id, slot)
);
create index group_change_address on group_change (address, slot);
create index group_change_slot on group_change (slot);
