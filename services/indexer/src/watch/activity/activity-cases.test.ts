import { LendingError } from '@lending/errors';
import { decodeMessage, encodeMessage, type Message, type Topic } from '@lending/events';
import { anyAddress, GROUP } from '@lending/fakes';
import {
  circuitBreakerTrippedEvent,
  encodeEvent,
  encodeInstruction,
  lendingPoolPulseBankPriceCache,
  MARGINFI_PROGRAM,
} from '@lending/programs';
import { createReadiness } from '@lending/runtime';
import type { Address, Slot } from '@solana/kit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDurableLog, unfinishedOf } from '#testing/durable-log.ts';
import { accountChanged, createFakeHistory, type MadeBlock } from '#testing/fake-history.ts';
import { startActivity } from '#testing/start-activity.ts';
import type { ProgramSink } from '#watch/program-stream.ts';

const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 5 });
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A chain and a log; `start` is somebody who indexes, and `tell` what a source says of a block. */
function createWorld() {
  const history = createFakeHistory();
  const log = createDurableLog();
  let nth = 1;
  const add = (slot: Slot, count: number): MadeBlock => {
    const transactions = Array.from({ length: count }, (_, at) => history.transaction(nth + at));
    nth += count;
    const block = { slot, transactions };
    history.blocks.push(block);
    return block;
  };
  const start = (options: Parameters<typeof startActivity>[2] = {}) => {
    const process = startActivity(history, log, options);
    stops.push(process.kill);
    const { sink, follower } = process.indexing;
    const tell = ({ slot, transactions }: MadeBlock, { withLogs = false } = {}): void => {
      for (const one of transactions) {
        const { logs } = history.record(one, slot);
        const { signature, isFailed } = one;
        sink.transaction({
          kind: 'transaction',
          signature,
          slot,
          isFailed,
          record: null,
          logs: withLogs ? logs : null,
        });
      }
      sink.slot({ kind: 'slot', slot: slot + 1n, root: history.root });
    };
    const begin = () => sink.gap({ kind: 'gap', fromSlot: 0n, toSlot: history.newest() });
    const tellEmpty = (slot: Slot) => sink.slot({ kind: 'slot', slot: slot + 1n, root: history.root });
    return { sink, follower, tell, tellEmpty, begin, lines: process.lines };
  };
  const of = <T extends Topic>(topic: T) =>
    log.messages.filter((message): message is Message<T> => message.type === topic);
  const signatures = () => of('activity.recorded.v1').map(({ payload }) => payload.signature);
  const tellEmpty = (sink: ProgramSink, slot: Slot): void =>
    sink.slot({ kind: 'slot', slot: slot + 1n, root: history.root });
  return { history, log, add, start, tellEmpty, of, signatures };
}

describe('what the activity side publishes', () => {
  it('matches the schemas of its topics', async () => {
    const { history, log, add, start, of } = createWorld();
    add(10n, 3);
    const { begin, tell } = start();
    await begin();
    tell(add(12n, 2));
    await until(() => expect(of('activity.recorded.v1')).toHaveLength(5));
    history.blocks.pop();
    history.root = add(20n, 1).slot;
    tell(history.blocks.at(-1) as MadeBlock);
    await until(() => expect(of('fork.dropped.v1')).toHaveLength(1));
    await until(() => expect(of('slot.finalized.v1').at(-1)?.slot).toBe(20n));
    for (const message of log.messages) expect(decodeMessage(message.type, encodeMessage(message))).toEqual(message);
    expect(new Set(log.messages.map(({ type }) => type))).toEqual(
      new Set(['activity.recorded.v1', 'index.progressed.v1', 'slot.finalized.v1', 'fork.dropped.v1']),
    );
  });

  it('keeps the order in which things were told, past one that is read late', async () => {
    const { history, add, start, signatures } = createWorld();
    add(10n, 0);
    const { begin, tell } = start({ tuning: { lateMs: 2_000, giveUpMs: 5_000, beatMs: 5 } });
    await begin();
    const block = add(12n, 6);
    const order = block.transactions.map(({ signature }) => signature);
    history.hidden.set(order[1] as string, 3);
    tell(block);
    await until(() => expect(signatures()).toHaveLength(6));
    expect(signatures()).toEqual(order);
  });

  it('does not let one that never comes hold up the others, and keeps the tip below it meanwhile', async () => {
    const { history, add, start, signatures } = createWorld();
    add(10n, 0);
    const { begin, tell, sink } = start({ tuning: { lateMs: 10, giveUpMs: 60_000, beatMs: 5 } });
    await begin();
    const block = add(12n, 3);
    history.hidden.set(block.transactions[0]?.signature as string, 1_000);
    tell(block);
    tell(add(14n, 1));
    await until(() => expect(signatures()).toHaveLength(3));
    expect(sink.durableSlot()).toBe(11n);
  });

  it('asks when a block was made where the transaction came without it, until somebody knows', async () => {
    const { history, add, start, of } = createWorld();
    add(10n, 0);
    history.hasTimes = false;
    const { begin, tell } = start({ tuning: { giveUpMs: 60_000 } });
    await begin();
    tell(add(12n, 1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(of('activity.recorded.v1')).toEqual([]);
    history.hasTimes = true;
    await until(() => expect(of('activity.recorded.v1')).toHaveLength(1));
    expect(of('activity.recorded.v1')[0]?.time).toBe('2026-04-24T03:06:46.000Z');
  });
});

describe('the past', () => {
  it('says which listed success the node answers with a block in which it did not run, and records the others', async () => {
    const { history, add, start, signatures } = createWorld();
    const [twice, other] = add(10n, 2).transactions;
    const { record } = history;
    const unrun = { slot: 9n, isFailed: true, feeLamports: 0n, logs: null, lamports: [] } as const;
    history.record = (one, slot) => ({ ...record(one, slot), ...(one === twice && unrun) });
    const { begin, lines } = start();
    await begin();
    await until(() => expect(signatures()).toEqual([other?.signature]));
    await until(() =>
      expect(lines.filter(({ event }) => event === 'activity.transaction.reject')).toMatchObject([
        { fields: { signature: twice?.signature } },
      ]),
    );
  });

  it('is not called complete where the node has thrown it away', async () => {
    const { history, log, add, start } = createWorld();
    add(10n, 2);
    add(40n, 2);
    history.floor = 20n;
    history.root = 40n;
    const { begin, lines } = start();
    await begin();
    await until(() =>
      expect(lines).toContainEqual(expect.objectContaining({ event: 'activity.past.stop', level: 'warn' })),
    );
    expect(unfinishedOf(log.messages)).toMatchObject([{ untilSlot: 0n, cursor: { slot: 40n }, done: 2 }]);
  });

  it('that the node has thrown away is tried again later, and told of once, of a single address quietly', async () => {
    const { history, add, start } = createWorld();
    add(40n, 7);
    history.floor = 20n;
    history.root = 40n;
    let lists = 0;
    history.onRead = (method) => {
      if (method === 'fetchSignatures') lists += 1;
    };
    const { begin, follower, lines } = start({ tuning: { beatMs: 5, stoppedMs: 10 } });
    await begin();
    await follower.follow(anyAddress(1_001), [], AbortSignal.timeout(180_000));
    await until(() => expect(lists).toBeGreaterThan(12));
    const told = lines.filter(({ event }) => event === 'activity.past.stop');
    expect(told.filter(({ level }) => level === 'warn')).toHaveLength(1);
    expect(new Set(told.map(({ level }) => level))).toEqual(new Set(['warn', 'debug']));
  });

  it('is read from where a killed process left it', async () => {
    const { history, log, add, start, tellEmpty, of, signatures } = createWorld();
    for (let slot = 10n; slot < 40n; slot += 1n) add(slot, 1);
    history.root = 39n;
    const first = start();
    history.onRead = (method) => {
      if (method === 'fetchTransaction' && history.asked.length > 15) throw new LendingError('CHAIN__RPC_UNAVAILABLE');
    };
    await first.begin();
    tellEmpty(first.sink, 39n);
    await until(() => expect(unfinishedOf(log.messages)[0]?.done).toBe(14));
    await until(() => expect(of('slot.finalized.v1').at(-1)?.payload.root).toBe('39'));
    await stops.pop()?.();
    const before = history.asked.length;
    history.onRead = () => undefined;
    const second = start();
    await second.begin();
    await until(() => expect(new Set(signatures()).size).toBe(30));
    await until(() => expect(unfinishedOf(log.messages)).toEqual([]));
    expect(history.asked.length - before).toBe(16);
  });

  it('keeps its place on a final transaction only, because a restart must find it again', async () => {
    const { history, add, start, of, signatures } = createWorld();
    for (let slot = 10n; slot < 40n; slot += 1n) add(slot, 1);
    history.root = 20n;
    const { begin } = start();
    await begin();
    await until(() => expect(signatures()).toHaveLength(30));
    const cursors = of('index.progressed.v1').flatMap(({ payload }) =>
      payload.cursor ? [BigInt(payload.cursor.slot)] : [],
    );
    expect(cursors.length).toBeGreaterThan(0);
    expect(cursors.filter((slot) => slot > 20n)).toEqual([]);
  });

  it('goes on behind a fork that was dropped under it', async () => {
    const { history, add, start, signatures } = createWorld();
    for (let slot = 10n; slot < 40n; slot += 1n) add(slot, 1);
    let isForked = false;
    history.onRead = (method) => {
      if (method !== 'fetchSignatures' || isForked || signatures().length < 8) return;
      isForked = true;
      history.blocks.splice(20);
      add(60n, 1);
    };
    const { begin } = start({ tuning: { chunkSize: 4, beatMs: 5 } });
    history.pageSize = 4;
    await begin();
    const there = () => history.blocks.flatMap(({ transactions }) => transactions.map(({ signature }) => signature));
    await until(() => expect(there().filter((signature) => !signatures().includes(signature))).toEqual([]));
    expect(isForked).toBe(true);
  });

  it('of a short gap holds the tip below it, until it is read or published', async () => {
    const { history, log, add, start, of } = createWorld();
    add(10n, 0);
    history.root = 10n;
    const { begin, sink } = start({ tuning: { holdMs: 40, beatMs: 5 } });
    await begin();
    await until(() => expect(unfinishedOf(log.messages)).toEqual([]));
    const block = add(12n, 1);
    history.hidden.set(block.transactions[0]?.signature as string, 1_000);
    await sink.gap({ kind: 'gap', fromSlot: 10n, toSlot: 12n });
    expect(sink.durableSlot()).toBe(10n);
    expect(unfinishedOf(log.messages)).toEqual([]);
    await until(() => expect(sink.durableSlot()).toBe(12n));
    expect(unfinishedOf(log.messages)).toMatchObject([{ fromSlot: 12n, cursor: null }]);
    history.hidden.clear();
    await until(() => expect(of('activity.recorded.v1')).toHaveLength(1));
  });

  it('of a gap reaches to the root, because the fork may have been left meanwhile', async () => {
    const { history, add, start, tellEmpty, signatures } = createWorld();
    add(10n, 0);
    history.root = 10n;
    const { begin, sink } = start();
    await begin();
    tellEmpty(sink, 14n);
    // The chain went on from slot 10 without what was told.
    const { transactions } = add(12n, 1);
    add(20n, 0);
    await sink.gap({ kind: 'gap', fromSlot: 14n, toSlot: 20n });
    await until(() => expect(signatures()).toEqual([transactions[0]?.signature]));
  });

  it('of a gap keeps the root that is told where reading goes down to, because a restart reads no further', async () => {
    const { history, log, add, start, tellEmpty, of } = createWorld();
    add(10n, 0);
    history.root = 10n;
    const { begin, sink } = start({ tuning: { holdMs: 60_000, beatMs: 5 } });
    await begin();
    await until(() => expect(unfinishedOf(log.messages)).toEqual([]));
    tellEmpty(sink, 14n);
    await until(() => expect(of('slot.finalized.v1').at(-1)?.slot).toBe(14n));
    const { transactions } = add(12n, 1);
    history.hidden.set(transactions[0]?.signature as string, 1_000);
    add(20n, 0);
    await sink.gap({ kind: 'gap', fromSlot: 14n, toSlot: 20n });
    history.root = 20n;
    tellEmpty(sink, 20n);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(of('slot.finalized.v1').at(-1)).toMatchObject({ slot: 14n, payload: { root: '10' } });
    history.hidden.clear();
    await until(() => expect(of('slot.finalized.v1').at(-1)).toMatchObject({ slot: 20n, payload: { root: '20' } }));
  });

  it('of a restart reaches to the root, too', async () => {
    const { history, add, start, tellEmpty, of, signatures } = createWorld();
    add(10n, 0);
    history.root = 10n;
    const first = start();
    await first.begin();
    tellEmpty(first.sink, 14n);
    await until(() => expect(of('slot.finalized.v1').at(-1)?.slot).toBe(14n));
    await stops.pop()?.();
    const { transactions } = add(12n, 1);
    add(20n, 0);
    await start().begin();
    await until(() => expect(signatures()).toEqual([transactions[0]?.signature]));
  });

  it('of a restart reaches to what was durable, because no root above that was told', async () => {
    const { history, add, start, tellEmpty, of, signatures } = createWorld();
    add(10n, 0);
    const first = start({ tuning: { lateMs: 1, giveUpMs: 60_000, beatMs: 5 } });
    await first.begin();
    const block = add(26n, 1);
    history.hidden.set(block.transactions[0]?.signature as string, 1_000);
    first.tell(block);
    add(30n, 0);
    history.root = 30n;
    tellEmpty(first.sink, 40n);
    await until(() => expect(of('slot.finalized.v1').at(-1)?.payload.root).toBe('25'));
    await stops.pop()?.();
    history.hidden.clear();
    await start().begin();
    await until(() => expect(signatures()).toEqual([block.transactions[0]?.signature]));
  });

  it('is listed again after a while, for what nobody told', async () => {
    const { history, add, start, tellEmpty, signatures } = createWorld();
    add(10n, 1);
    history.root = 10n;
    const { begin, tell, sink } = start({ tuning: { reconcileMs: 20, beatMs: 5 } });
    await begin();
    tell(add(12n, 1));
    const [silent] = add(14n, 1).transactions;
    const [last] = add(16n, 1).transactions;
    history.root = 12n;
    tellEmpty(sink, 20n);
    await until(() => expect(signatures()).toEqual(expect.arrayContaining([silent?.signature, last?.signature])));
    const asked = history.asked.length;
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(history.asked.length).toBe(asked);
    expect(new Set(signatures()).size).toBe(signatures().length);
  });

  describe('of a change that no transaction explains', () => {
    it('is read before the tip passes it, so that a kill loses nothing', async () => {
      const { history, add, start, of, signatures } = createWorld();
      add(10n, 0);
      history.root = 10n;
      const { begin, sink, tellEmpty } = start();
      await begin();
      const { transactions } = add(12n, 2);
      sink.account(accountChanged(transactions[0]?.account as Address, 12n));
      tellEmpty(14n);
      await until(() => expect(sink.durableSlot()).toBe(14n));
      expect(new Set(signatures())).toEqual(new Set(transactions.map(({ signature }) => signature)));
      expect(of('index.progressed.v1').filter(({ payload }) => payload.fromSlot === '12')).toEqual([]);
    });

    it('is listed when its time has come, though nothing more is told', async () => {
      const { add, start, signatures } = createWorld();
      add(10n, 0);
      const { begin, tell, sink } = start({ tuning: { beatMs: 5, silentMs: 100 } });
      await begin();
      const told = [11n, 12n].map((slot) => {
        const { transactions } = add(slot, 1);
        sink.account(accountChanged(anyAddress(1_001), slot));
        tell({ slot, transactions: [] });
        return transactions[0]?.signature;
      });
      await vi.waitFor(() => expect(sink.durableSlot()).toBe(12n), { timeout: 120_000 });
      expect(new Set(signatures())).toEqual(new Set(told));
    });

    it('is not listed where a transaction of its slot was told, nor twice, nor all the time', async () => {
      const { history, add, start } = createWorld();
      let lists = 0;
      history.onRead = (method) => {
        if (method === 'fetchSignatures') lists += 1;
      };
      add(10n, 0);
      history.root = 10n;
      const { begin, tell, sink, tellEmpty } = start({ tuning: { beatMs: 5, silentMs: 60_000 } });
      await begin();
      const change = (slot: Slot) => sink.account(accountChanged(anyAddress(1_001), slot));
      change(12n);
      tell(add(12n, 1));
      change(12n);
      tellEmpty(14n);
      await until(() => expect(sink.durableSlot()).toBe(14n));
      const before = lists;
      change(15n);
      tell(add(15n, 0));
      await until(() => expect(sink.durableSlot()).toBe(15n));
      expect(lists).toBe(before + 1);
      change(15n);
      tellEmpty(16n);
      await until(() => expect(sink.durableSlot()).toBe(16n));
      for (let slot = 17n; slot < 30n; slot += 1n) {
        change(slot);
        tell(add(slot, 0));
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect([lists, sink.durableSlot()]).toEqual([before + 1, 16n]);
    });
  });

  it('is ready where there is none to read, and again once the tables answer', async () => {
    const { log, start } = createWorld();
    const readiness = createReadiness();
    const memory = log.memory(() => 0);
    let isAway = false;
    const listUnfinished = async () => {
      if (isAway) throw new LendingError('STORE__UNAVAILABLE');
      return memory.listUnfinished();
    };
    start({ scope: 'on-demand', pastDays: 0, readiness, memory: { ...memory, listUnfinished } });
    const isReady = () => readiness.getStatus().components.find(({ name }) => name === 'activity-past')?.ready;
    await until(() => expect(isReady()).toBe(true));
    isAway = true;
    await until(() => expect(isReady()).toBe(false));
    isAway = false;
    await until(() => expect(isReady()).toBe(true));
  });

  it('of so many days ends where they begin', async () => {
    const { history, add, start, signatures } = createWorld();
    // A slot is half a second: a day is 172,800 of them.
    add(10n, 1);
    add(100_000n, 1);
    add(200_000n, 1);
    history.root = 200_000n;
    const { begin } = start({ pastDays: 1 });
    await begin();
    await until(() => expect(signatures()).toHaveLength(2));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(signatures()).toHaveLength(2);
  });
});

describe('finality', () => {
  it('says nothing of slots that no node knows, and goes on with the others', async () => {
    const { history, log, add, start, of } = createWorld();
    add(100n, 1);
    add(200n, 0);
    const { begin, tell } = start();
    await begin();
    await until(() => expect(of('activity.recorded.v1')).toHaveLength(1));
    history.floor = 150n;
    history.root = 200n;
    tell(add(210n, 0));
    tell(add(220n, 0));
    await until(() => expect(of('slot.finalized.v1').at(-1)?.payload.root).toBe('200'));
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(of('fork.dropped.v1')).toEqual([]);
    expect(of('slot.finalized.v1').flatMap(({ payload }) => payload.slots)).toEqual([]);
    history.floor = 0n;
    await until(() => expect(of('slot.finalized.v1').flatMap(({ payload }) => payload.slots)).toEqual(['100']));
    expect(log.messages.length).toBeGreaterThan(0);
  });

  it('has a segment durable before the drop it belongs to, and reads the accounts again', async () => {
    const { history, log, add, start, of } = createWorld();
    add(10n, 1);
    history.root = 10n;
    const reread: Slot[] = [];
    const { begin, tell } = start({ reread: (slot) => reread.push(slot) });
    await begin();
    tell(add(11n, 0));
    tell(add(12n, 1));
    await until(() => expect(of('activity.recorded.v1')).toHaveLength(2));
    history.blocks.pop();
    history.root = 20n;
    tell(add(20n, 0));
    await until(() => expect(of('fork.dropped.v1').map(({ payload }) => payload.slots)).toEqual([['12']]));
    const dropAt = log.messages.findIndex(({ type }) => type === 'fork.dropped.v1');
    expect(unfinishedOf(log.messages.slice(0, dropAt)).map(({ untilSlot }) => untilSlot)).toContain(10n);
    await until(() => expect(reread).toEqual([20n]));
  });

  it('takes the tip no further than the slowest of those it stands for', async () => {
    const { add, start, of } = createWorld();
    add(10n, 0);
    let slowest: Slot | null = null;
    const { begin, tell } = start({ sinks: [{ durableSlot: () => slowest }] });
    await begin();
    tell(add(30n, 1));
    await until(() => expect(of('activity.recorded.v1')).toHaveLength(1));
    expect(of('slot.finalized.v1')).toEqual([]);
    slowest = 25n;
    await until(() => expect(of('slot.finalized.v1').at(-1)?.slot).toBe(25n));
  });
});

describe('activity on demand', () => {
  const ON_DEMAND = { scope: 'on-demand', pastDays: 0 } as const;
  const accountOf = ({ transactions }: MadeBlock, at: number) => transactions[at]?.account as Address;

  it('publishes what concerns a followed address, and does not read what names nobody followed', async () => {
    const { history, add, start, signatures } = createWorld();
    add(10n, 0);
    const { begin, tell, follower } = start(ON_DEMAND);
    await begin();
    const told = add(12n, 2);
    history.blocks.pop();
    await follower.follow(accountOf(told, 0), [], AbortSignal.timeout(180_000));
    history.blocks.push(told);
    history.asked.length = 0;
    tell(told, { withLogs: true });
    await until(() => expect(signatures()).toEqual([told.transactions[0]?.signature]));
    expect(history.asked).toEqual([told.transactions[0]?.signature]);
  });

  it('publishes what happened to a bank of the group, with no account followed, and when it is final', async () => {
    const { history, add, start, of, signatures } = createWorld();
    const bank = anyAddress(1);
    const event = encodeEvent(circuitBreakerTrippedEvent, {
      tier: 2,
      deviationBps: 1_250n,
      haltStartedAt: 100n,
      haltEndedAt: 700n,
    });
    const { record } = history;
    history.record = (transaction, slot) => {
      const plain = record(transaction, slot);
      const group = transaction === ours.transactions[0] ? GROUP : anyAddress(2);
      const pulse = encodeInstruction(lendingPoolPulseBankPriceCache, MARGINFI_PROGRAM, { group, bank }, {});
      const [first] = plain.instructions;
      if (first === undefined) throw new Error();
      const accounts = (pulse.accounts ?? []).map(({ address }) => address);
      const data = Uint8Array.from(pulse.data ?? []);
      return {
        ...plain,
        instructions: [first, { ...first, instructionIndex: 1, accounts, data }],
        logs: [
          ...(plain.logs ?? []),
          `Program ${MARGINFI_PROGRAM} invoke [1]`,
          `Program data: ${Buffer.from(event).toString('base64')}`,
          `Program ${MARGINFI_PROGRAM} success`,
        ],
      };
    };
    add(10n, 0);
    const { begin, tell } = start(ON_DEMAND);
    await begin();
    const ours = add(12n, 2);
    tell(ours, { withLogs: true });
    await until(() => expect(of('group.changed.v1')).toHaveLength(1));
    history.root = 12n;
    tell(add(14n, 0));
    await until(() => expect(of('slot.finalized.v1').flatMap(({ payload }) => payload.slots)).toEqual(['12']));
    expect(signatures()).toEqual([]);
    const [message] = of('group.changed.v1').map((one) => decodeMessage(one.type, encodeMessage(one)));
    const id = `${ours.transactions[0]?.signature}:1#0`;
    const change = { kind: 'breaker_trip', tier: 2, deviationBps: '1250', haltStartedAt: '100', haltEndedAt: '700' };
    expect(message).toMatchObject({ key: bank, slot: 12n, payload: { id, group: GROUP, bank, change } });
  });

  it('answers after the first page, and again when there is no more', async () => {
    const { history, add, start, signatures } = createWorld();
    for (let slot = 10n; slot < 80n; slot += 1n) add(slot, 1);
    history.root = 79n;
    const complete: Address[] = [];
    const { begin, follower } = start({ ...ON_DEMAND, onFollowComplete: (address) => complete.push(address) });
    await begin();
    const account = anyAddress(1_001);
    const answer = await follower.follow(account, [], AbortSignal.timeout(180_000));
    expect(answer).toEqual({ isComplete: false });
    expect(signatures().length).toBeGreaterThanOrEqual(3);
    await until(() => expect(complete).toEqual([account]));
    expect(new Set(signatures()).size).toBe(10);
    expect(await follower.follow(account, [], AbortSignal.timeout(180_000))).toEqual({ isComplete: true });
  });

  it('reads again for somebody who asks later what was left out before', async () => {
    const { add, start, signatures } = createWorld();
    add(10n, 0);
    const { begin, tell, follower } = start(ON_DEMAND);
    await begin();
    const told = add(12n, 2);
    await follower.follow(accountOf(told, 0), [], AbortSignal.timeout(180_000));
    tell(told);
    await until(() => expect(signatures()).toContain(told.transactions[0]?.signature));
    await follower.follow(accountOf(told, 1), [], AbortSignal.timeout(180_000));
    await until(() => expect(signatures()).toContain(told.transactions[1]?.signature));
  });

  it('lists what a followed account did that changed in silence, and of no other one', async () => {
    const { history, add, start, signatures } = createWorld();
    add(10n, 0);
    history.root = 10n;
    const { begin, sink, follower, tellEmpty } = start(ON_DEMAND);
    await begin();
    const account = anyAddress(1_001);
    await follower.follow(account, [], AbortSignal.timeout(180_000));
    const { transactions } = add(12n, 7);
    for (const one of transactions) sink.account(accountChanged(one.account, 12n));
    tellEmpty(14n);
    await until(() => expect(sink.durableSlot()).toBe(14n));
    const own = transactions.filter((one) => one.account === account).map(({ signature }) => signature);
    expect([signatures(), history.asked]).toEqual([own, own]);
  });

  it('publishes nothing more of an address that is no longer followed', async () => {
    const { add, start, signatures } = createWorld();
    add(10n, 0);
    const { begin, tell, follower } = start(ON_DEMAND);
    await begin();
    const account = anyAddress(1_001);
    await follower.follow(account, [], AbortSignal.timeout(180_000));
    follower.unfollow(account);
    tell(add(12n, 7));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(signatures()).toEqual([]);
  });

  describe('where an address is followed no longer', () => {
    const account = anyAddress(1_001);
    const pause = () => new Promise((resolve) => setTimeout(resolve, 150));

    /** Asks the tables once only: what is dropped does not come back from there. */
    const PATIENT = { beatMs: 5, recallMs: 60_000 };

    /** Ten transactions of the account, of which the node has the newest three. */
    function createHalfKnown() {
      const world = createWorld();
      const { history, add } = world;
      for (let slot = 10n; slot < 80n; slot += 1n) add(slot, 1);
      history.root = 79n;
      const own = history.blocks.flatMap(({ transactions }) => transactions).filter((one) => one.account === account);
      for (const { signature } of own.slice(0, 7)) history.hidden.set(signature, 1_000_000);
      return { ...world, own };
    }

    it('reads no more of its past, and lets nobody wait for that', async () => {
      const { history, log, start, signatures } = createHalfKnown();
      const { begin, follower } = start(ON_DEMAND);
      await begin();
      await follower.follow(account, [], AbortSignal.timeout(180_000));
      await until(() => expect(unfinishedOf(log.messages)).toMatchObject([{ done: 3 }]));
      const late = follower.follow(anyAddress(1_002), [], AbortSignal.timeout(180_000));
      follower.unfollow(account);
      follower.unfollow(anyAddress(1_002));
      await late;
      await pause();
      history.hidden.clear();
      const before = history.asked.length;
      await pause();
      expect(history.asked.length).toBe(before);
      expect(new Set(signatures()).size).toBe(3);
    });

    it('leaves it to the next process only once somebody asks again, from where it was left', async () => {
      const { history, log, start, signatures } = createHalfKnown();
      const first = start(ON_DEMAND);
      await first.begin();
      await first.follower.follow(account, [], AbortSignal.timeout(180_000));
      await until(() => expect(unfinishedOf(log.messages)).toMatchObject([{ done: 3, cursor: {} }]));
      await stops.pop()?.();
      history.hidden.clear();
      history.asked.length = 0;
      const second = start(ON_DEMAND);
      await second.begin();
      await pause();
      expect(history.asked).toEqual([]);
      await second.follower.follow(account, [], AbortSignal.timeout(180_000));
      await until(() => expect(unfinishedOf(log.messages)).toEqual([]));
      expect(history.asked).toHaveLength(7);
      expect(signatures()).toHaveLength(10);
    });

    it('keeps what another followed address wants', async () => {
      const { history, log, start, signatures } = createHalfKnown();
      const { begin, follower } = start({ ...ON_DEMAND, tuning: PATIENT });
      await begin();
      await follower.follow(account, [], AbortSignal.timeout(180_000));
      await follower.follow(anyAddress(9_999), [account], AbortSignal.timeout(180_000));
      follower.unfollow(account);
      history.hidden.clear();
      await until(() => expect(unfinishedOf(log.messages)).toEqual([]));
      expect(new Set(signatures()).size).toBe(10);
    });

    it('reads the past of the program on, though somebody followed its address', async () => {
      const { history, add, start, signatures } = createWorld();
      for (let slot = 10n; slot < 20n; slot += 1n) add(slot, 1);
      history.onRead = (method) => {
        if (method === 'fetchTransaction') throw new LendingError('CHAIN__RPC_UNAVAILABLE');
      };
      const { begin, follower } = start({ pastDays: 10_000, tuning: PATIENT });
      await begin();
      const following = follower.follow(MARGINFI_PROGRAM, [], AbortSignal.timeout(180_000));
      await pause();
      follower.unfollow(MARGINFI_PROGRAM);
      await following;
      history.onRead = () => undefined;
      await until(() => expect(new Set(signatures()).size).toBe(10));
    });
  });
});
