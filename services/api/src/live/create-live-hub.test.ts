import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ACCOUNT, accountRow, balanceRow, OTHER_ACCOUNT, UNEVEN_MEASURES, WALLET } from '../testing/account-rows.ts';
import { SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
import type { LiveEvent } from './live-hub.ts';
import { createLiveWorld, deposit } from './testing/live-world.ts';

const TIP_SLOT = 400_001_005n;

function crossings(events: readonly LiveEvent[]) {
  return events.map(({ kind, data }) => (kind === 'health' ? `${data.from} → ${data.to}` : kind));
}

function slotsOf(events: readonly LiveEvent[]) {
  return events.map(({ kind, data }) => (kind === 'activity' ? data.slot : kind));
}

describe('health of a stream', () => {
  it('tells the status there is, then each crossing once', async () => {
    const world = createLiveWorld();
    const reader = await world.instance().follow({ health: [ACCOUNT] });
    expect(crossings(await reader.take(1))).toEqual(['null → healthy']);
    world.setSolPrice('100');
    const [event] = await reader.take(1);
    expect(event).toMatchObject({
      data: { account: ACCOUNT, from: 'healthy', to: 'moderate', health: { status: 'moderate' } },
    });
    world.setSolPrice('101');
    world.setSolPrice('60');
    expect(crossings(await reader.take(1))).toEqual(['moderate → liquidatable']);
    expect(await reader.take(1, 200)).toEqual([]);
  });

  it('is valued as of the oldest measure of the account, as an answer is', async () => {
    const world = createLiveWorld();
    world.measures = UNEVEN_MEASURES;
    const [event] = await (await world.instance().follow({ health: [ACCOUNT] })).take(1);
    // 600.006 owed half an hour on, 10.00005 SOL: 1.05 and 0.95 of them.
    expect(event).toMatchObject({
      data: {
        health: {
          liabilities_usd_maint: expect.closeTo(630.0063, 6),
          assets_usd_maint: expect.closeTo(1425.007125, 6),
        },
      },
    });
  });

  it('tells a crossing that the account itself caused', async () => {
    const world = createLiveWorld();
    const instance = world.instance();
    const reader = await instance.follow({ health: [ACCOUNT] });
    await reader.take(1);
    const debt = balanceRow({ bank: USDC_BANK, slot_index: 1, asset_shares: '0', liability_shares: '1200000000' });
    world.accounts = [accountRow({ slot: TIP_SLOT, balances: [balanceRow(), debt] })];
    instance.feed.tell({ topic: 'account.updated.v1', keys: [ACCOUNT] });
    expect(crossings(await reader.take(1))).toEqual(['healthy → warning']);
  });

  it('goes on after a version of an account that cannot be valued', async () => {
    const world = createLiveWorld();
    const instance = world.instance();
    const reader = await instance.follow({ health: [ACCOUNT] });
    await reader.take(1);
    world.accounts = [accountRow({ slot: TIP_SLOT, balances: [balanceRow({ asset_shares: 'no number' })] })];
    instance.feed.tell({ topic: 'account.updated.v1', keys: [ACCOUNT] });
    expect(await reader.take(1, 200)).toEqual([]);
    const debt = balanceRow({ bank: USDC_BANK, slot_index: 1, asset_shares: '0', liability_shares: '1200000000' });
    world.accounts = [accountRow({ slot: TIP_SLOT + 1n, balances: [balanceRow(), debt] })];
    instance.feed.tell({ topic: 'account.updated.v1', keys: [ACCOUNT] });
    expect(crossings(await reader.take(1))).toEqual(['healthy → warning']);
  });

  it('reads an account once for all of its listeners, and not when prices change', async () => {
    const world = createLiveWorld();
    const instance = world.instance();
    const readers = await Promise.all(Array.from({ length: 20 }, () => instance.follow({ health: [ACCOUNT] })));
    for (const reader of readers) await reader.take(1);
    world.setSolPrice('100');
    for (const reader of readers) expect(crossings(await reader.take(1))).toEqual(['healthy → moderate']);
    expect(world.asked.readAccountsAt).toBe(0);
    instance.feed.tell({ topic: 'account.updated.v1', keys: [ACCOUNT] });
    instance.feed.tell({ topic: 'account.updated.v1', keys: [OTHER_ACCOUNT] });
    await pause(200);
    expect(world.asked.readAccountsAt).toBe(1);
  });

  it('tells another instance’s reader what happened between, from where he was to where it is', async () => {
    const world = createLiveWorld();
    const first = await world.instance().follow({ health: [ACCOUNT] });
    const [began] = await first.take(1);
    first.leave();
    world.setSolPrice('100');
    world.setSolPrice('60');
    const second = await world.instance().follow({ health: [ACCOUNT] }, { after: began?.id ?? '' });
    expect(crossings(await second.take(1))).toEqual(['healthy → liquidatable']);
    const third = await world.instance().follow({ health: [ACCOUNT] }, { after: second.stream.position() });
    expect(await third.take(1, 100)).toEqual([]);
  });

  it('takes a wallet with one account for that account, and refuses one with several', async () => {
    const world = createLiveWorld();
    const instance = world.instance();
    const [event] = await (await instance.follow({ health: [WALLET] })).take(1);
    expect(event?.data).toMatchObject({ account: ACCOUNT });
    world.accounts = [accountRow(), accountRow({ address: OTHER_ACCOUNT })];
    await expect(instance.follow({ health: [WALLET] })).rejects.toMatchObject({ code: 'READ__ACCOUNT_MISMATCH' });
    await expect(instance.follow({ health: [SOL_BANK] })).rejects.toMatchObject({ code: 'READ__ACCOUNT_NOT_FOUND' });
  });
});

describe('activity of a stream', () => {
  it('tells what happens from now on, once, in order, also what is written late', async () => {
    const world = createLiveWorld();
    world.activity.push(deposit(TIP_SLOT - 10n, 'before'), deposit(TIP_SLOT - 9_000n, 'history'));
    const reader = await world.instance().follow({ activity: [WALLET] });
    expect(await reader.take(1, 50)).toEqual([]);
    world.act(deposit(TIP_SLOT + 3n, 'b'), deposit(TIP_SLOT + 2n, 'a'));
    expect(slotsOf(await reader.take(2))).toEqual([Number(TIP_SLOT) + 2, Number(TIP_SLOT) + 3]);
    world.act(deposit(TIP_SLOT + 1n, 'late'));
    expect(slotsOf(await reader.take(1))).toEqual([Number(TIP_SLOT) + 1]);
    world.act(deposit(TIP_SLOT + 3n, 'b'));
    expect(await reader.take(1, 300)).toEqual([]);
  });

  it('loses and repeats none when its reader goes on at another instance', async () => {
    const world = createLiveWorld();
    const first = await world.instance().follow({ activity: [ACCOUNT] });
    world.act(deposit(TIP_SLOT + 5n, 'a'), deposit(TIP_SLOT + 7n, 'c'));
    const heard = await first.take(2);
    first.leave();
    world.act(deposit(TIP_SLOT + 6n, 'late'), deposit(TIP_SLOT + 9n, 'd'));
    const second = await world.instance().follow({ activity: [ACCOUNT] }, { after: heard[1]?.id ?? '' });
    world.act(deposit(TIP_SLOT + 11n, 'e'));
    expect(slotsOf(await second.take(3))).toEqual([6, 9, 11].map((above) => Number(TIP_SLOT) + above));
    expect(await second.take(1, 200)).toEqual([]);
  });

  it('goes on in the middle of what was told at once', async () => {
    const world = createLiveWorld();
    const first = await world.instance().follow({ activity: [ACCOUNT] });
    world.act(...['a', 'b', 'c', 'd'].map((name) => deposit(TIP_SLOT + 5n, name)));
    const heard = await first.take(4);
    const second = await world.instance().follow({ activity: [ACCOUNT] }, { after: heard[1]?.id ?? '' });
    const again = await second.take(2);
    expect(await second.take(1, 200)).toEqual([]);
    expect(again.map(({ data }) => (data as { id: string }).id[0])).toEqual(['c', 'd']);
  });

  it('tells the newest five hundred of what was missed, and that there were more', async () => {
    const world = createLiveWorld();
    const first = await world.instance().follow({ activity: [ACCOUNT] });
    const began = first.stream.position();
    first.leave();
    world.activity.push(...Array.from({ length: 700 }, (_, index) => deposit(TIP_SLOT + BigInt(index), `x${index}`)));
    const second = await world.instance().follow({ activity: [ACCOUNT] }, { after: began });
    const events = await second.take(501);
    expect(await second.take(1, 200)).toEqual([]);
    expect(events[0]).toMatchObject({ kind: 'missed', data: { of: 'activity', until_slot: Number(TIP_SLOT) + 200 } });
    expect(slotsOf(events.slice(1))).toEqual(Array.from({ length: 500 }, (_, index) => Number(TIP_SLOT) + 200 + index));
    expect(events.at(-1)?.id.length).toBeLessThan(400);
  });

  it('says nothing of what others do', async () => {
    const world = createLiveWorld();
    const reader = await world.instance().follow({ activity: [ACCOUNT] });
    world.act(deposit(TIP_SLOT + 1n, 'a', { account: OTHER_ACCOUNT, authority: SOL_BANK }));
    expect(await reader.take(1, 200)).toEqual([]);
    world.act(deposit(TIP_SLOT + 2n, 'b', { account: OTHER_ACCOUNT, authority: SOL_BANK, counterparty: ACCOUNT }));
    expect(slotsOf(await reader.take(1))).toEqual([Number(TIP_SLOT) + 2]);
  });

  it('finds an account that a wallet opened meanwhile', async () => {
    const world = createLiveWorld();
    const reader = await world.instance().follow({ activity: [WALLET] });
    world.act(deposit(TIP_SLOT + 1n, 'a', { account: OTHER_ACCOUNT }));
    expect(slotsOf(await reader.take(1))).toEqual([Number(TIP_SLOT) + 1]);
  });

  it('tells it when the database is back', async () => {
    const world = createLiveWorld();
    const reader = await world.instance().follow({ activity: [ACCOUNT], health: [ACCOUNT] });
    await reader.take(1);
    world.failure = new Error('away');
    world.act(deposit(TIP_SLOT + 1n, 'a'));
    expect(await reader.take(1, 300)).toEqual([]);
    world.failure = null;
    expect(slotsOf(await reader.take(1))).toEqual([Number(TIP_SLOT) + 1]);
  });
});

describe('a stream', () => {
  it('is refused above the limits, and its place is free when it ends', async () => {
    const instance = createLiveWorld().instance({ most: 3, mostPerClient: 2, mostAddresses: 2 });
    const first = await instance.follow({ rates: 'banks' });
    await instance.follow({ rates: 'banks' });
    await expect(instance.follow({ rates: 'banks' })).rejects.toMatchObject({
      code: 'TOOL__STREAMS_EXCEEDED',
      context: { scope: 'streams_per_client', limit: 2 },
    });
    await instance.follow({ rates: 'banks' }, { client: 'other' });
    await expect(instance.follow({ rates: 'banks' }, { client: 'third' })).rejects.toMatchObject({
      context: { scope: 'streams', limit: 3 },
    });
    first.leave();
    await instance.follow({ rates: 'banks' }, { client: 'third' });
    await expect(
      instance.follow({ rates: [USDC_BANK, SOL_BANK], banks: [SOL_BANK] }, { client: 'fourth' }),
    ).rejects.toMatchObject({ code: 'TOOL__INPUT_INVALID' });
    expect(await instance.metrics.render()).toContain('live_stream_open 3');
  });

  it('gives its place back when it cannot begin', async () => {
    const world = createLiveWorld();
    const instance = world.instance({ mostPerClient: 1 });
    for (const _ of [1, 2, 3]) {
      await expect(instance.follow({ health: [OTHER_ACCOUNT] })).rejects.toMatchObject({
        code: 'READ__ACCOUNT_NOT_FOUND',
      });
    }
    expect(await instance.metrics.render()).toContain('live_stream_open 0');
  });

  it('refuses an id of another question', async () => {
    const instance = createLiveWorld().instance();
    const reader = await instance.follow({ rates: 'banks' });
    const after = reader.stream.position();
    await expect(instance.follow({ rates: 'all' }, { after })).rejects.toMatchObject({
      message: expect.stringContaining('belongs to another question'),
    });
  });

  it('tells a reader who was away the newest of each thing', async () => {
    const world = createLiveWorld();
    const instance = world.instance();
    const leaving = new AbortController();
    const stream = await instance.hub.follow(
      { rates: 'banks', banks: 'all', health: [ACCOUNT], activity: [] },
      { after: null, client: 'test', signal: leaving.signal, callName: 'the test' },
    );
    world.setSolPrice('100');
    await pause(200);
    world.setSolPrice('60');
    await pause(200);
    const events: LiveEvent[] = [];
    for await (const event of stream) {
      events.push(event);
      // Whatever else there were comes in a moment.
      if (events.length === 5) setTimeout(() => leaving.abort(), 200);
    }
    expect(events.map(({ kind }) => kind)).toEqual(['health', 'bank', 'bank', 'rate', 'rate']);
    expect(crossings(events.slice(0, 1))).toEqual(['null → liquidatable']);
  });

  it('tells a bank again whose cap changed while its reader was away, and no bank where none did', async () => {
    const world = createLiveWorld();
    const reader = await world.instance().follow({ banks: 'all' });
    const [, last] = await reader.take(2);
    const same = await world.instance().follow({ banks: 'all' }, { after: last?.id ?? '' });
    expect(await same.take(1, 100)).toEqual([]);
    world.banks = world.banks.map((row) => (row.address === SOL_BANK ? { ...row, deposit_limit_base: '7' } : row));
    world.setSolPrice('150');
    expect((await same.take(1))[0]?.data).toMatchObject({
      changed: ['actions_allowed', 'size.deposit_limit_usd'],
      bank: { address: SOL_BANK },
    });
    const other = await world.instance().follow({ banks: 'all' }, { after: last?.id ?? '' });
    expect((await other.take(2)).map(({ kind }) => kind)).toEqual(['bank', 'bank']);
  });

  it('ends when the hub closes, and none begins after', async () => {
    const instance = createLiveWorld().instance();
    const { stream } = await instance.follow({ rates: 'banks' });
    await instance.hub.close();
    expect((await stream[Symbol.asyncIterator]().next()).done).toBe(true);
    await expect(instance.follow({ rates: 'banks' })).rejects.toMatchObject({ code: 'DATA__UNAVAILABLE' });
    expect(await instance.metrics.render()).toContain('live_stream_close_total{reason="shutdown"} 1');
  });

  it('leaves nothing behind that listens', async () => {
    const world = createLiveWorld();
    const instance = world.instance();
    const signals = [];
    for (let index = 0; index < 50; index += 1) {
      const reader = await instance.follow({ rates: 'banks', banks: 'all', health: [ACCOUNT], activity: [ACCOUNT] });
      signals.push(reader);
    }
    for (const reader of signals) reader.leave();
    const asked = world.asked.readActivity;
    world.act(deposit(TIP_SLOT + 1n, 'a'));
    instance.feed.tell({ topic: 'account.updated.v1', keys: [ACCOUNT] });
    await pause(200);
    expect([world.asked.readActivity - asked, world.asked.readAccountsAt]).toEqual([0, 0]);
    expect(await instance.metrics.render()).toContain('live_stream_open 0');
  });
});
