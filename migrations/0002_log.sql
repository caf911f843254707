-- The embedded log: what Kafka is to the services shape, in the same Postgres. Only packages/bus touches these tables.

-- One row for a partition. Its counter is locked by the transaction that appends, so offsets have no gaps and are handed out
-- in commit order: whoever sees offset n can never later see a smaller one appear.
create table log_partition (
  id integer generated always as identity primary key,
  topic text not null,
  partition integer not null,
  next_offset bigint not null default 0,
  unique (topic, partition)
);
comment on table log_partition is 'partitions of the embedded log, dead topics included';

create table log_message (
  partition_id integer not null references log_partition (id),
  log_offset bigint not null,
  key text,
  value text not null,
  headers json,
  appended_at timestamptz not null,
  primary key (partition_id, log_offset)
);
comment on column log_message.headers is 'why and from where, on dead topics; null elsewhere';

-- One row for a running consumer. It is alive while its heartbeat is fresh and its database session is still there.
create table log_member (
  consumer_group text not null,
  member bigint generated always as identity,
  topics text[] not null,
  session_pid integer not null,
  session_start timestamptz not null,
  heartbeat_at timestamptz not null default now(),
  primary key (consumer_group, member)
);

-- Who reads a partition. The primary key is the guarantee that two members of a group never both do.
create table log_claim (
  consumer_group text not null,
  partition_id integer not null references log_partition (id),
  member bigint not null,
  primary key (consumer_group, partition_id),
  foreign key (consumer_group, member) references log_member (consumer_group, member) on delete cascade
);
create index log_claim_member on log_claim (consumer_group, member);
