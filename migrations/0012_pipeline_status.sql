-- How far the pipeline is behind, as those who know it last measured it. Nothing of it comes from a message, so a replay leaves it alone.

-- What waits for a consumer group in each partition. Every indexer measures all partitions; the newest reading stands.
create table consumer_lag (
  consumer_group text not null,
  topic text not null,
  partition integer not null,
  -- One past the newest message of the log.
  end_offset bigint not null,
  -- Messages between where the group goes on and there.
  behind bigint not null,
  -- When the oldest of them was there at the latest; null when none waits.
  waiting_since timestamptz,
  -- Over the last minute; null while whoever measures has not watched for long enough.
  handled_per_second double precision,
  -- By the database's clock, before the log was asked.
  measured_at timestamptz not null,
  primary key (consumer_group, topic, partition)
);

create table dead_topic (
  topic text primary key,
  -- Messages of that topic that lie on its dead topic.
  messages bigint not null,
  measured_at timestamptz not null
);
comment on column dead_topic.topic is 'the topic that they were set aside from';

-- What each process hears of the chain and of aggregators from, and how that stands. Rows of a process that ended are left behind, and
-- deleted a day later.
create table source_status (
  role text not null,
  instance text not null,
  kind text not null check (kind in ('rpc', 'pubsub', 'polling', 'yellowstone', 'aggregator')),
  -- Host and port alone: the rest of a URL may hold a key.
  host text not null,
  state text not null check (state in ('unknown', 'serving', 'lagging', 'resting', 'refused')),
  in_use boolean not null,
  -- Newest confirmed slot it showed, and when; null where it showed none.
  slot bigint,
  slot_at timestamptz,
  answered_at timestamptz,
  -- Why it failed last; null since it answers again.
  error text,
  observed_at timestamptz not null,
  primary key (role, instance, kind, host)
);

-- How often each venue is to be sampled, as the poller that leads says.
create table venue_beat (
  venue text primary key check (venue in ('p0', 'kamino', 'drift', 'juplend', 'solend')),
  beat_ms integer not null,
  -- How long a slot lasted; null while nobody measured it.
  slot_us integer,
  told_at timestamptz not null
);
