import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { answerFollows, type FollowAnswer } from './answer-follows.ts';
import {
  dropIdleFollows,
  type FollowedNotice,
  listenFollowed,
  listFollowedAddresses,
  readFollow,
  requestFollow,
} from './follows.ts';
import type { Listener } from './listen-channel.ts';

const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 5 });

const database = useDatabase({ per: 'test' });
let listener: Listener | undefined;

afterEach(async () => {
  await listener?.stop();
  listener = undefined;
});

const ask = (address: string, aspect: 'accounts' | 'wallet' = 'accounts', maxFollowed = 100) =>
  requestFollow(database.db, { address, aspect, maxFollowed });
const answer = (...answers: readonly Partial<FollowAnswer>[]) =>
  database.db.transaction().execute((transaction) =>
    answerFollows(
      transaction,
      answers.map((fields) => ({
        address: 'a',
        aspect: 'accounts',
        accounts: ['account'],
        isComplete: true,
        slot: 100n,
        slotTime: '2026-11-21T10:00:00.000Z',
        ...fields,
      })),
    ),
  );
const age = (address: string, seconds: number) =>
  sql`update followed_address set asked_at = now() - make_interval(secs => ${seconds}) where address = ${address}`.execute(
    database.db,
  );
const listed = async () =>
  (await listFollowedAddresses(database.db)).map(({ address, aspect }) => `${address} ${aspect}`);

describe('requestFollow', () => {
  it('follows an address once for each aspect', async () => {
    expect(await ask('a')).toMatchObject({
      kind: 'new',
      follow: { address: 'a', answered_slot: null, accounts: null },
    });
    expect(await ask('a', 'wallet')).toMatchObject({ kind: 'new' });
    expect(await ask('a')).toMatchObject({ kind: 'known', follow: { aspect: 'accounts' } });
    expect(await listed()).toEqual(['a accounts', 'a wallet']);
  });

  it('refuses a new one when there are too many, and no known one', async () => {
    await ask('a', 'accounts', 1);
    expect(await ask('b', 'accounts', 1)).toEqual({ kind: 'full', follow: null });
    expect(await ask('a', 'accounts', 1)).toMatchObject({ kind: 'known' });
    expect(await listed()).toEqual(['a accounts']);
  });

  it('is known to one of those who ask for the same at the same moment', async () => {
    const kinds = (await Promise.all(Array.from({ length: 8 }, () => ask('a')))).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'new')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'known')).toHaveLength(7);
  });

  it('tells the listening indexer of a new one, once', async () => {
    const heard: FollowedNotice[] = [];
    const begun = vi.fn();
    listener = listenFollowed({
      connectionString: database.connectionString,
      onFollowed: (notice) => heard.push(notice),
      onListening: begun,
    });
    await until(() => expect(begun).toHaveBeenCalled());
    await ask('a');
    await ask('a');
    await ask('b', 'wallet');
    await until(() =>
      expect(heard).toEqual([
        { address: 'a', aspect: 'accounts' },
        { address: 'b', aspect: 'wallet' },
      ]),
    );
  });
});

describe('answerFollows', () => {
  it('notes the newest answer, and nothing of what nobody follows', async () => {
    await ask('a');
    await answer({ slot: 5n, accounts: [], isComplete: false }, { address: 'nobody' });
    expect(await readFollow(database.db, 'a', 'accounts')).toMatchObject({
      answered_slot: 5n,
      accounts: [],
      is_complete: false,
    });
    await answer({ slot: 9n }, { slot: 7n, accounts: ['older'] });
    await answer({ slot: 8n, accounts: ['older'] });
    expect(await readFollow(database.db, 'a', 'accounts')).toMatchObject({
      answered_slot: 9n,
      answered_time: new Date('2026-11-21T10:00:00.000Z'),
      accounts: ['account'],
      is_complete: true,
    });
    expect(await readFollow(database.db, 'nobody', 'accounts')).toBeNull();
  });
});

describe('dropIdleFollows', () => {
  it('forgets what nobody asked for in a while; asking keeps', async () => {
    for (const address of ['a', 'b', 'c']) await ask(address);
    await age('a', 3_601);
    await age('b', 3_601);
    await age('c', 3_500);
    await ask('b');
    expect(await dropIdleFollows(database.db, 3_600_000)).toEqual([{ address: 'a', aspect: 'accounts' }]);
    expect(await listed()).toEqual(['b accounts', 'c accounts']);
  });

  it('does not wait in a ring with answers and with those who ask', async () => {
    const addresses = Array.from({ length: 30 }, (_, nth) => `address-${nth}`);
    for (const address of addresses) await ask(address);
    await sql`update followed_address set asked_at = now() - interval '2 hours'`.execute(database.db);
    await Promise.all([
      answer(...addresses.map((address) => ({ address }))),
      answer(...addresses.toReversed().map((address) => ({ address, slot: 101n }))),
      dropIdleFollows(database.db, 3_600_000),
      dropIdleFollows(database.db, 3_600_000),
      ...addresses.map((address) => ask(address)),
    ]);
    expect(await dropIdleFollows(database.db, 3_600_000)).toEqual([]);
  });
});
