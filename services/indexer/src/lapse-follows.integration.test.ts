import { createLineLogger } from '@lending/fakes';
import { listFollowedAddresses, listIndexProgress, requestFollow } from '@lending/store';
import { useDatabase } from '@lending/store/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { runLapseOfFollows } from './lapse-follows.ts';

const database = useDatabase({ per: 'test' });

it('forgets with an address how far its past was read', async () => {
  const { db } = database;
  for (const address of ['idle', 'asked']) await requestFollow(db, { address, aspect: 'activity', maxFollowed: 10 });
  await sql`
    insert into chain_progress (tip_slot, tip_time, root_slot, source) values (9, now(), 9, 'chain')
  `.execute(db);
  await sql`
    insert into index_progress (task, kind, address, from_slot, until_slot, done, is_complete, source, slot, slot_time)
    select address, 'activity', address, 9, 0, 1, false, 'chain', 9, now() - interval '2 hours'
    from unnest(array['idle', 'asked', 'program']) as address
  `.execute(db);
  await sql`update followed_address set asked_at = now() - interval '2 hours' where address = 'idle'`.execute(db);
  const stopping = new AbortController();
  const { logger, lines } = createLineLogger();
  const options = { store: { db }, program: 'program', followIdleMs: 3_600_000, logger };
  const running = runLapseOfFollows(options, stopping.signal);
  const tasks = async () => (await listIndexProgress(db)).map(({ task }) => task);
  await expect.poll(tasks).toEqual(['asked', 'program']);
  stopping.abort();
  await running;
  expect((await listFollowedAddresses(db)).map(({ address }) => address)).toEqual(['asked']);
  expect(lines).toMatchObject([{ event: 'address.follow.lapse', fields: { follows: 1 } }]);
});
