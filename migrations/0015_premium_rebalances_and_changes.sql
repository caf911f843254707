-- What events of 0.1.12 say of activity, and what happens to banks and their group.

-- Base units: how much of the amount paid premium, and what was given up besides it. Null where the program says nothing.
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
  -- The bank or account; the group where it is of all banks, or the program names no bank.
  address text not null,
  -- Null where it was read from the account's own bytes.
  actor text,
  detail jsonb not null,
  primary key (id, slot)
);
create index group_change_address on group_change (address, slot);
create index group_change_kind on group_change (kind, slot);
create index group_change_slot on group_change (slot);
-- Which slot a time is, by the rows that have their block's time.
create index group_change_time on group_change (time, slot) where kind <> 'liquidation_tag';

-- What the next changes of tags are compared with.
insert into group_change (id, slot, time, kind, address, detail)
select
  address || ':' || slot || coalesce(':' || write_version, ''), slot, slot_time, 'liquidation_tag', address,
  jsonb_build_object('taggedAt', liquidation_tagged_at::text, 'version', coalesce(write_version, 'infinity')::text)
from account
where liquidation_tagged_at is not null;

create or replace view v_activity as
select
  activity.signature || ':' || activity.instruction_index || coalesce(':' || activity.inner_index, '') as id,
  activity.time,
  activity.slot,
  case when slot_finality.finality = 'confirmed' then 'confirmed' else 'finalized' end as finality,
  activity.kind,
  activity.group_id,
  activity.account,
  activity.authority,
  coalesce(activity.actor, activity.authority) as actor,
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
  activity.liquidation ->> 'liquidator' as liquidator,
  activity.signature,
  activity_leg.premium_settled as premium_settled_base,
  activity_leg.premium_written_off as premium_written_off_base
from activity
left join slot_finality on slot_finality.slot = activity.slot
left join activity_leg on activity_leg.activity = activity.key and activity_leg.slot = activity.slot
left join bank on bank.address = activity_leg.bank
where not exists (select from activity as later where later.key = activity.key and later.slot > activity.slot);

create view v_group_change as
select
  change.id, change.time, change.slot, change.kind, change.address, bank.symbol, change.actor, change.detail
from group_change as change
left join bank on bank.address = change.address
where not exists (select from group_change as later where later.id = change.id and later.slot > change.slot);
comment on view v_group_change is 'What happened to a bank, the group or the liquidation tag of an account; detail as the program has it';
