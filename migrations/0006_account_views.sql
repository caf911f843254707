-- Accounts, activity and progress for dashboards: as the views of 0004, names and columns are kept, and a column that comes later
-- comes last.

create view v_account as
select
  account.address as account,
  account.authority,
  account.group_address as "group",
  account.is_closed,
  account.slot_time as time,
  account.slot,
  to_timestamp(account.last_update) as last_update,
  (select count(*) from balance where balance.account = account.address)::integer as balance_slots_used,
  account.active_orders,
  account.derivation_index,
  account.third_party_id,
  account.migrated_from,
  account.migrated_to,
  account.flags
from account;
comment on view v_account is 'A lending account as it was last seen; time and slot say when';

-- What shares are worth: with the share values of the bank's newest measure, which are accrued to its slot.
create view v_balance as
select
  balance.account,
  account.authority,
  balance.bank,
  bank.symbol,
  bank.mint,
  bank.venue,
  balance.slot_index,
  case when balance.liability_shares > balance.asset_shares then 'borrow' else 'lend' end as side,
  balance.asset_shares,
  balance.liability_shares,
  balance.asset_shares * (bank_measure.ledger ->> 'assetShareValue')::numeric as asset_base,
  balance.liability_shares * (bank_measure.ledger ->> 'liabilityShareValue')::numeric as liability_base,
  to_timestamp(balance.last_update) as last_update,
  account.slot_time as time,
  account.slot,
  bank_measure.slot_time as measured_at
from balance
join account on account.address = balance.account
left join bank on bank.address = balance.bank
left join bank_measure on bank_measure.bank = balance.bank;
comment on view v_balance is 'A slot in use of an account. *_base: in the bank''s units, at its newest share values; null where it was not measured';

create view v_activity as
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
  activity.signature
from activity
left join slot_finality on slot_finality.slot = activity.slot
left join activity_leg on activity_leg.activity = activity.key and activity_leg.slot = activity.slot
left join bank on bank.address = activity_leg.bank
where not exists (select from activity as later where later.key = activity.key and later.slot > activity.slot);
comment on view v_activity is 'A leg of what was done to an account, and one row without leg where nothing moved';

create view v_index_progress as
select
  task,
  kind,
  address,
  from_slot,
  until_slot,
  cursor_slot,
  done,
  total,
  is_complete,
  slot_time as time,
  (select tip_slot from chain_progress) as tip_slot,
  (select tip_time from chain_progress) as tip_time,
  (select root_slot from chain_progress) as root_slot
from index_progress;
comment on view v_index_progress is 'How far reading the past has come, beside how far the indexer has come';
