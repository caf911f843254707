-- What the variable borrow premium of 0.1.12 needs of a balance. A debt's last claim is its `last_update`.

alter table balance add column premium_rate bigint not null default 0;
alter table balance add column premium_outstanding numeric not null default 0;

comment on column balance.premium_rate is 'Yearly rate as the program encodes it: parts of u32::MAX, which is 1,000 %.';
comment on column balance.premium_outstanding is 'Claimed and not paid, base units; of no meaning where the bank charges no premium.';
