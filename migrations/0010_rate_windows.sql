-- What each client was granted of late, by which the api's instances limit it together. Worth nothing after a minute: unlogged, so that a
-- request does not wait for a disk, and empty after a crash of the server, when each instance still counts what it granted itself.

create unlogged table rate_window (
  -- An IPv4 address, or the /64 of an IPv6 address.
  client text primary key,
  -- One element for each grant and scope: how many requests were granted, and when they cease to count.
  scopes text[] not null default '{}',
  counts integer[] not null default '{}',
  ends timestamptz[] not null default '{}',
  -- When nothing counts any more.
  lapses_at timestamptz not null default now()
) with (fillfactor = 50);

-- Grants a client what is asked for of every scope, or nothing of any: at least what is needed, and what is wanted where there is room. Then
-- tells what counts of these scopes, what was granted now last. A function, because it is asked at most requests, and planning it takes longer than doing it.
create function take_permits(
  asking text, asked_scopes text[], limits bigint[], needs integer[], wants integer[], counts_ms double precision[],
  out granted boolean, out scopes text[], out counts integer[], out ends_in_ms integer[]
) language plpgsql as $$
#variable_conflict use_column
declare
  known rate_window;
  -- Read once it is this asker's turn, so that no grant is dated before one that it counts.
  seen_at timestamptz;
  rooms bigint[];
begin
  loop
    select * into known from rate_window where client = asking for update;
    exit when found;
    insert into rate_window (client) values (asking) on conflict do nothing;
  end loop;
  seen_at := clock_timestamp();

  -- After the clock was set back nothing counts longer than it would if it was granted now.
  select
    coalesce(array_agg(scope), '{}'), coalesce(array_agg(count), '{}'),
    coalesce(array_agg(least("end", seen_at + ms * interval '1 ms')), '{}')
  into known.scopes, known.counts, known.ends
  from unnest(known.scopes, known.counts, known.ends) as counted (scope, count, "end")
  left join unnest(asked_scopes, counts_ms) as asked (scope, ms) using (scope)
  where "end" > seen_at;

  select bool_and(room >= need), array_agg(room order by nth)
  into granted, rooms
  from (
    select nth, need, most - coalesce(sum(count), 0) as room
    from unnest(asked_scopes, limits, needs) with ordinality as asked (scope, most, need, nth)
    left join unnest(known.scopes, known.counts) as counted (scope, count) using (scope)
    group by nth, need, most
  ) as asked;

  if granted then
    known.scopes := known.scopes || asked_scopes;
    known.counts := known.counts || array(select least(want, room)::integer from unnest(wants, rooms) as asked (want, room));
    known.ends := known.ends || array(select seen_at + ms * interval '1 ms' from unnest(counts_ms) as ms);
  end if;
  update rate_window set
    scopes = known.scopes, counts = known.counts, ends = known.ends,
    lapses_at = coalesce((select max("end") from unnest(known.ends) as "end"), seen_at)
  where client = asking;

  select
    coalesce(array_agg(scope order by nth), '{}'), coalesce(array_agg(count order by nth), '{}'),
    coalesce(array_agg(ceil(extract(epoch from "end" - seen_at) * 1000)::integer order by nth), '{}')
  into scopes, counts, ends_in_ms
  from unnest(known.scopes, known.counts, known.ends) with ordinality as counted (scope, count, "end", nth)
  where scope = any (asked_scopes);
end
$$;
