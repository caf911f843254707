-- What lists of accounts, balances and activity are found by. Each was seen to be needed on 100,000 accounts and a million activities, and
-- none is on a column that a projection changes: an update of an account or a balance stays within its page.

-- Who holds in a bank: 40 ms of reading the whole table without it. Not by shares, though the largest holders are asked for: shares change
-- with every write of a balance, which would then write to the index, too (writing accounts took a quarter longer); a bank's balances are
-- sorted when somebody asks.
create index balance_bank on balance (bank, account);

-- Newest of all, and of a kind: rare kinds stand far apart. By slot alone the planner reads all slots backwards in search of an address.
create index activity_kind on activity (kind, slot);

-- Which slot a time is: since and until are bounds of slots then, and what lies outside is not read. Rows of one block share an entry.
create index activity_time on activity (time, slot);

-- Who acted, where that is not the authority: liquidators and keepers, few rows.
create index activity_actor on activity (actor, slot) where actor is not null;

-- Newest of a bank, of one action where the kinds asked for are one each.
create index activity_leg_bank on activity_leg (bank, action, slot);
