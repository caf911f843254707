-- How our figures of banks compare with the program's own. Whole numbers are raw units of the field, as the program stores them.
create table bank_audit (
  bank text not null,
  figure text not null,
  compared bigint not null,
  differed bigint not null,
  largest_units numeric not null,
  -- Ours less the program's.
  last_units numeric not null,
  agreed_in_row integer not null,
  -- Null: the figure is trusted.
  unverified_since bigint,
  -- field, ours, theirs, bound, account, slot of the newest difference beyond its bound.
  last_difference jsonb,
  source text not null check (source in ('chain', 'localnet')),
  slot bigint not null,
  slot_time timestamptz not null,
  primary key (bank, figure)
);

create view v_bank_audit as
select
  audit.bank, bank.symbol, bank.venue, audit.figure, audit.compared, audit.differed, audit.largest_units, audit.last_units,
  audit.unverified_since is null as verified, audit.unverified_since, audit.last_difference, audit.slot, audit.slot_time as time
from bank_audit as audit
left join bank on bank.address = audit.bank;
comment on view v_bank_audit is 'How our figures of a bank compare with the program''s own: differences in raw units of the field, ours less the program''s';
