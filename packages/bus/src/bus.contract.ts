import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLendingError } from '@lending/errors';
import { encodeMessage } from '@lending/events';
import { inSpan, keepTrace } from '@lending/tracing';
import { recordSpans } from '@lending/tracing/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEffects, type Effects } from './bus.contract-effects.ts';
import type { MemberOrder } from './bus.contract-member.ts';
import { makeMessages, CONTRACT_TOPIC as TOPIC } from './bus.contract-messages.ts';
import { type Batch, type Bus, type ConsumeOptions, type DeadLetter, partitionKey } from './bus.ts';
import { type BusOptions, LOG_DEFAULTS } from './bus-options.ts';
import { type BusConfig, createBus } from './create-bus.ts';

export interface BuriedRecord {
  readonly key: string | null;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What the suite needs from an adapter's real log besides the port. */
export interface ContractLog {
  readonly config: BusConfig;
  /** A database for effects and offsets. */
  readonly connectionString: string;
  /** Writes a record as a foreign producer would, to the partition its key belongs to. */
  inject(key: string, value: string): Promise<void>;
  readDeadLetters(): Promise<readonly BuriedRecord[]>;
  /** Removes every record there is now, as retention would. */
  expireAll(): Promise<void>;
  /** Makes the log unreachable for everybody. */
  interrupt(): Promise<void>;
  resume(): Promise<void>;
}

/** Sessions so long that on no machine anybody loses partitions because it is slow, and that what happens in a test is no end of one. */
export const CONTRACT_SETTINGS = { sessionTimeoutMs: 60_000, heartbeatMs: 250 } as const;
/** Sessions short enough for a test to wait for their end. */
const MORTAL = { ...CONTRACT_SETTINGS, sessionTimeoutMs: 1_500 };

const TIMEOUT = { timeout: 120_000 };
/** So many keys that none of six partitions is left without one; of 24, every thirteenth time one was. */
const EVERYWHERE = 120;
const MEMBER = join(import.meta.dirname, 'bus.contract-member.ts');

/** What every adapter has to do. Each test has keys and groups of its own, so the log may hold what others left. */
export function describeBusContract(openLog: () => Promise<ContractLog>): void {
  let log: ContractLog;
  let tag: string;
  let effects: Effects;
  const open: Bus[] = [];
  const members: ChildProcess[] = [];

  async function openBus(options: BusOptions = {}, config: Partial<BusConfig> = {}): Promise<Bus> {
    const bus = await createBus({ ...log.config, ...config } as BusConfig, options);
    open.push(bus);
    return bus;
  }

  /** Starts a consumer in a process of its own; resolves when it has joined. */
  async function startMember(order: Pick<MemberOrder, 'group'> & Partial<MemberOrder>): Promise<ChildProcess> {
    const member = spawn(
      process.execPath,
      [
        MEMBER,
        JSON.stringify({ config: { ...log.config, ...MORTAL }, connectionString: log.connectionString, tag, ...order }),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    members.push(member);
    await waitForLine(member, 'joined');
    return member;
  }

  function collect(group: string, more: Partial<ConsumeOptions> = {}): { options: ConsumeOptions; batches: Batch[] } {
    const batches: Batch[] = [];
    const positions = new Map<string, bigint>();
    const options: ConsumeOptions = {
      group: `${tag}-${group}`,
      topics: [TOPIC],
      startFrom: async () => positions,
      ...more,
      handle: async (batch) => {
        await more.handle?.(batch);
        positions.set(partitionKey(batch), batch.nextOffset);
        batches.push(batch);
      },
    };
    return { options, batches };
  }

  /** What arrived with keys of this test, in the order handled. */
  function seen(batches: readonly Batch[]): { key: string; slot: number; offset: bigint; partition: number }[] {
    return batches.flatMap(({ messages, partition }) =>
      messages
        .filter(({ message }) => message.key.startsWith(tag))
        .map(({ message, offset }) => ({ key: message.key, slot: Number(message.slot), offset, partition })),
    );
  }

  function slotsByKey(batches: readonly Batch[]): Record<string, number[]> {
    const groups = Map.groupBy(seen(batches), ({ key }) => key);
    return Object.fromEntries([...groups].map(([key, all]) => [key, all.map(({ slot }) => slot)]));
  }

  beforeAll(async () => {
    log = await openLog();
  });

  beforeEach(async () => {
    tag = randomBytes(4).toString('hex');
    effects = await createEffects(log.connectionString);
  });

  afterEach(async () => {
    for (const member of members.splice(0)) member.kill('SIGKILL');
    await Promise.all(open.splice(0).map((bus) => bus.close()));
    await effects.close();
  });

  describe('order', TIMEOUT, () => {
    it('keeps the order of a key within a call and across calls that nobody awaited', async () => {
      const bus = await openBus();
      const keys = ['a', 'b', 'c', 'd', 'e'].map((name) => `${tag}-${name}`);
      const calls = Array.from({ length: 40 }, (_, call) =>
        bus.publish(keys.flatMap((key) => makeMessages(key, call * 5 + 1, 5))),
      );
      await Promise.all(calls);
      const { options, batches } = collect('order');
      await bus.consume(options);
      await expect.poll(() => seen(batches).length).toBe(1_000);
      const ascending = Array.from({ length: 200 }, (_, index) => index + 1);
      expect(slotsByKey(batches)).toEqual(Object.fromEntries(keys.map((key) => [key, ascending])));
    });

    it('hands on batches that join: each starts where the one before ended', async () => {
      const bus = await openBus();
      await bus.publish(makeMessages(`${tag}-a`, 1, 25));
      const { options, batches } = collect('joined', { maxBatchSize: 4 });
      await bus.consume(options);
      await expect.poll(() => seen(batches).length).toBe(25);
      for (const chain of Map.groupBy(batches, (batch) => partitionKey(batch)).values()) {
        expect(chain.slice(1).map(({ fromOffset }) => fromOffset)).toEqual(
          chain.slice(0, -1).map(({ nextOffset }) => nextOffset),
        );
        expect(chain.every(({ messages }) => messages.length <= 4)).toBe(true);
      }
    });
  });

  describe('groups', TIMEOUT, () => {
    it('shows every group every message', async () => {
      const bus = await openBus();
      await bus.publish(makeKeys(tag, 12).flatMap((key) => makeMessages(key, 1, 3)));
      const [one, two] = [collect('one'), collect('two')];
      await Promise.all([bus.consume(one.options), bus.consume(two.options)]);
      await expect.poll(() => seen(one.batches).length).toBe(36);
      await expect.poll(() => seen(two.batches).length).toBe(36);
    });

    it('does not keep a member that is stopped before it has joined', async () => {
      const bus = await openBus();
      const stopping = new AbortController();
      const [stopped, next] = [collect('stopped', { signal: stopping.signal }), collect('stopped')];
      const joining = bus.consume(stopped.options);
      stopping.abort(new Error('stopped'));
      await expect(joining).rejects.toThrow('stopped');
      await bus.consume(next.options);
      await bus.publish(makeKeys(tag, EVERYWHERE).flatMap((key) => makeMessages(key, 1, 1)));
      await expect.poll(() => seen(next.batches).length).toBe(EVERYWHERE);
      expect(stopped.batches).toEqual([]);
    });

    it('shares the partitions of a group among its members', async () => {
      const [left, right] = [await openBus(), await openBus()];
      const [one, two] = [collect('shared'), collect('shared')];
      await left.consume(one.options);
      await right.consume(two.options);
      await waitForBoth(left, one.batches, two.batches);
      const from = [one.batches.length, two.batches.length] as const;
      await left.publish(makeKeys(tag, EVERYWHERE).flatMap((key) => makeMessages(key, 1, 1)));
      const fresh = () => [seen(one.batches.slice(from[0])), seen(two.batches.slice(from[1]))] as const;
      await expect.poll(() => fresh().flat().length).toBe(EVERYWHERE);
      const [partitionsOne, partitionsTwo] = fresh().map((all) => new Set(all.map(({ partition }) => partition)));
      expect(partitionsOne?.size).toBe(3);
      expect(partitionsTwo?.size).toBe(3);
      expect(new Set([...(partitionsOne ?? []), ...(partitionsTwo ?? [])]).size).toBe(6);
    });
  });

  describe('versions in one group', TIMEOUT, () => {
    const older = () => collect('versions', { topics: ['bank.rejected.v1'] });
    const newer = () => collect('versions', { topics: ['bank.rejected.v1', TOPIC] });

    it.each([
      ['older', older, newer],
      ['newer', newer, older],
    ])('give a topic that only one of them knows to that one, where the %s came first', async (_, first, second) => {
      const members = [first(), second()];
      for (const { options } of members) await (await openBus()).consume(options);
      const bus = await openBus();
      await bus.publish(makeKeys(tag, EVERYWHERE).flatMap((key) => makeMessages(key, 1, 1)));
      const counts = () => members.map(({ options, batches }) => [options.topics.length, seen(batches).length]).sort();
      await expect.poll(counts).toEqual([
        [1, 0],
        [2, EVERYWHERE],
      ]);
    });
  });

  describe('rebalance', TIMEOUT, () => {
    it('gives the partitions of a member that leaves to the others at once', async () => {
      const [left, right] = [await openBus(), await openBus()];
      const [one, two] = [collect('leaving'), collect('leaving')];
      await left.consume(one.options);
      const leaver = await right.consume(two.options);
      await waitForBoth(left, one.batches, two.batches);
      await leaver.stop();
      const count = two.batches.length;
      const before = seen(one.batches).length;
      await left.publish(makeKeys(tag, 24).flatMap((key) => makeMessages(key, 100, 1)));
      await expect.poll(() => seen(one.batches).length - before).toBe(24);
      expect(two.batches.length).toBe(count);
    });

    it('moves the partitions of a member that died without leaving', async () => {
      const group = `${tag}-dying`;
      const bus = await openBus({}, MORTAL);
      await startMember({ group });
      await bus.consume({ group, topics: [TOPIC], startFrom: effects.startFrom(group), handle: effects.handle });
      const victim = await startMember({ group });
      await bus.publish(makeKeys(tag, 24).flatMap((key) => makeMessages(key, 1, 10)));
      await expect.poll(() => effects.count(group, tag)).toBe(240);
      victim.kill('SIGKILL');
      await bus.publish(makeKeys(tag, 24).flatMap((key) => makeMessages(key, 11, 10)));
      await expect.poll(() => effects.count(group, tag)).toBe(480);
      expect(await effects.doubled(group)).toEqual([]);
    });

    it('takes the partitions of a member that hangs, and lets it join again', async () => {
      const group = `${tag}-hanging`;
      const bus = await openBus({}, MORTAL);
      const victim = await startMember({ group });
      await bus.consume({ group, topics: [TOPIC], startFrom: effects.startFrom(group), handle: effects.handle });
      victim.kill('SIGSTOP');
      await bus.publish(makeKeys(tag, 24).flatMap((key) => makeMessages(key, 1, 10)));
      await expect.poll(() => effects.count(group, tag)).toBe(240);
      let hasRejoined = false;
      void waitForLine(victim, 'handled').then(() => {
        hasRejoined = true;
      });
      victim.kill('SIGCONT');
      const rejoined = async () => {
        await bus.publish(makeKeys(`${tag}x`, 24).flatMap((key) => makeMessages(key, 1, 1)));
        return hasRejoined;
      };
      await expect.poll(rejoined, { interval: 250 }).toBe(true);
      await bus.publish(makeKeys(tag, 24).flatMap((key) => makeMessages(key, 11, 10)));
      await expect.poll(() => effects.count(group, tag)).toBe(480);
      expect(await effects.doubled(group)).toEqual([]);
    });
  });

  describe('replay', TIMEOUT, () => {
    it('starts where it is told, and at the oldest record where it is told nothing', async () => {
      const bus = await openBus();
      await bus.publish(makeMessages(`${tag}-a`, 1, 20));
      const all = collect('all');
      await bus.consume(all.options);
      await expect.poll(() => seen(all.batches).length).toBe(20);
      const tenth = seen(all.batches)[9];
      if (tenth === undefined) throw new Error('nothing was read');
      const place = partitionKey({ topic: TOPIC, partition: tenth.partition });
      const replay = collect('replay', { startFrom: async () => new Map([[place, tenth.offset]]) });
      await bus.consume(replay.options);
      await expect.poll(() => seen(replay.batches).length).toBe(11);
      expect(seen(replay.batches).map(({ slot }) => slot)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
      expect(replay.batches.find(({ partition }) => partition === tenth.partition)?.fromOffset).toBe(tenth.offset);
    });

    it('goes on at the oldest record when retention removed what comes next, from the stored offset', async () => {
      const bus = await openBus();
      await bus.publish(makeMessages(`${tag}-a`, 1, 5));
      const early = collect('early');
      const consumer = await bus.consume(early.options);
      await expect.poll(() => seen(early.batches).length).toBe(5);
      await consumer.stop();
      const [second] = seen(early.batches).slice(1);
      if (second === undefined) throw new Error('nothing was read');
      await log.expireAll();
      await bus.publish(makeMessages(`${tag}-a`, 6, 3));
      const place = partitionKey({ topic: TOPIC, partition: second.partition });
      const late = collect('late', { startFrom: async () => new Map([[place, second.offset]]) });
      await bus.consume(late.options);
      await expect.poll(() => seen(late.batches).map(({ slot }) => slot)).toEqual([6, 7, 8]);
      expect(late.batches.find(({ partition }) => partition === second.partition)?.fromOffset).toBe(second.offset);
    });

    it('says from which record to which each partition reaches, also after retention', async () => {
      const bus = await openBus();
      const read = async () => new Map((await bus.readExtents([TOPIC])).map((extent) => [extent.partition, extent]));
      const before = await read();
      expect([...before.keys()].sort()).toEqual([0, 1, 2, 3, 4, 5]);
      await bus.publish(makeMessages(`${tag}-a`, 1, 5));
      const { options, batches } = collect('extents');
      await bus.consume(options);
      await expect.poll(() => seen(batches).length).toBe(5);
      const [first] = seen(batches);
      if (first === undefined) throw new Error('nothing was read');
      const grown = await read();
      for (const [partition, { oldest, next }] of grown) {
        expect(next - (before.get(partition)?.next ?? 0n)).toBe(partition === first.partition ? 5n : 0n);
        if (partition === first.partition) expect(oldest).toBeLessThanOrEqual(first.offset);
      }
      await log.expireAll();
      for (const [partition, { oldest, next }] of await read()) {
        expect(oldest).toBe(next);
        expect(next).toBe(grown.get(partition)?.next);
      }
    });

    it('counts what lies on the dead topic of each topic', async () => {
      const bus = await openBus();
      const other = 'bank.updated.v1';
      const before = await bus.countDead([TOPIC, other]);
      const bury = (topic: DeadLetter['topic']) =>
        bus.bury({ topic, partition: 0, offset: 0n, key: `${tag}-a`, value: 'v', reason: 'r' });
      await Promise.all([bury(TOPIC), bury(TOPIC), bury(other), bus.publish(makeMessages(`${tag}-a`, 1, 3))]);
      const after = await bus.countDead([TOPIC, other]);
      const added = (topic: DeadLetter['topic']) => (after.get(topic) ?? 0n) - (before.get(topic) ?? 0n);
      expect([after.size, added(TOPIC), added(other)]).toEqual([2, 2n, 1n]);
    });

    it('starts over when the stored offset is past the end, from the stored offset', async () => {
      const bus = await openBus();
      await bus.publish(makeMessages(`${tag}-a`, 1, 3));
      const place = (partition: number) => partitionKey({ topic: TOPIC, partition });
      const beyond = new Map([0, 1, 2, 3, 4, 5].map((partition) => [place(partition), 1_000_000_000n]));
      const { options, batches } = collect('beyond', { startFrom: async () => beyond });
      await bus.consume(options);
      await expect.poll(() => seen(batches).map(({ slot }) => slot)).toEqual([1, 2, 3]);
      expect(batches.find(({ messages }) => messages.length > 0)?.fromOffset).toBe(1_000_000_000n);
    });
  });

  describe('a trace', TIMEOUT, () => {
    it('is carried by what was made in it, and pointed at by what is made of that', async () => {
      const recorded = recordSpans();
      try {
        const bus = await openBus();
        const [first, second, third] = makeMessages(`${tag}-a`, 1, 3);
        if (first === undefined || second === undefined || third === undefined) throw new Error('no messages');
        const begin = (name: string, run: () => Promise<void> | void) =>
          inSpan('test', { name }, async (span) => {
            await run();
            return span.spanContext();
          });
        const { options, batches } = collect('traced');
        const one = await begin('one', () => keepTrace([first]));
        await bus.publish([first]);
        const two = await begin('two', () => bus.publish([second]));
        await bus.publish([third]);
        await bus.consume({ ...options, handle: (batch) => begin('row', () => options.handle(batch)).then(() => {}) });
        await expect.poll(() => slotsByKey(batches)).toEqual({ [`${tag}-a`]: [1, 2, 3] });
        const spans = recorded.get();
        const published = spans.filter(({ name }) => name === `publish ${TOPIC}`);
        expect(published.map((span) => span.parentSpanContext?.spanId)).toEqual([one.spanId, two.spanId]);
        const processed = spans.filter(({ name, links }) => name === `process ${TOPIC}` && links.length > 0);
        expect(new Set(processed.flatMap(({ links }) => links.map(({ context }) => context.traceId)))).toEqual(
          new Set([one.traceId, two.traceId]),
        );
        for (const span of processed) {
          expect(span.parentSpanContext).toBeUndefined();
          expect(
            spans.some(
              ({ name, parentSpanContext: parent }) => name === 'row' && parent?.spanId === span.spanContext().spanId,
            ),
          ).toBe(true);
        }
      } finally {
        recorded.stop();
      }
    });
  });

  describe('a poisoned message', TIMEOUT, () => {
    it('goes to the dead topic with its reason, is counted, and blocks no neighbour', async () => {
      const buried: DeadLetter[] = [];
      const bus = await openBus({ onBuried: (letter) => buried.push(letter) });
      const key = `${tag}-a`;
      const [first, second] = makeMessages(key, 1, 2);
      if (first === undefined || second === undefined) throw new Error('no messages');
      const foreign = encodeMessage(second).replace('"setup":"PythPushOracle"', '"setup":7');
      await bus.publish([first]);
      await log.inject(key, `not json ${tag}`);
      await log.inject(key, foreign);
      await bus.publish([second]);
      const { options, batches } = collect('poisoned');
      await bus.consume(options);
      await expect.poll(() => slotsByKey(batches)).toEqual({ [key]: [1, 2] });
      const mine = (await log.readDeadLetters()).filter((record) => record.key === key);
      expect(mine.map(({ value }) => value)).toEqual([`not json ${tag}`, foreign]);
      expect(mine[0]?.headers).toMatchObject({ topic: TOPIC, reason: `${TOPIC}: it is not JSON` });
      expect(mine[1]?.headers.reason).toContain('setup');
      expect(buried.filter((letter) => letter.key === key).map(({ offset }) => String(offset))).toEqual(
        mine.map(({ headers }) => headers.offset),
      );
    });

    it('moves the offset even where nothing else was read', async () => {
      const bus = await openBus();
      const { options, batches } = collect('alone');
      await bus.consume(options);
      const key = `${tag}-a`;
      await bus.publish(makeMessages(key, 1, 1));
      await expect.poll(() => seen(batches).length).toBe(1);
      const partition = seen(batches)[0]?.partition;
      const ofPartition = () => batches.filter((batch) => batch.partition === partition);
      const read = ofPartition().length;
      await log.inject(key, '{}');
      const countDead = async () => (await log.readDeadLetters()).filter((record) => record.key === key).length;
      await expect.poll(countDead).toBe(1);
      const sizes = () => ofPartition().map(({ messages }) => messages.length);
      await expect.poll(() => sizes().slice(read)).toEqual([0]);
    });

    it('is set aside once, however often its batch is read again', async () => {
      const bus = await openBus();
      const key = `${tag}-a`;
      await log.inject(key, '{}');
      await bus.publish(makeMessages(key, 1, 1));
      let failures = 3;
      const { options, batches } = collect('again', {
        handle: async ({ messages }) => {
          if (messages.some(({ message }) => message.key === key) && failures-- > 0) throw new Error('not yet');
        },
      });
      await bus.consume(options);
      await expect.poll(() => seen(batches).length).toBe(1);
      expect((await log.readDeadLetters()).filter((record) => record.key === key)).toHaveLength(1);
    });

    it('is left out by a consumer that asks for that, and not buried', async () => {
      const buried: DeadLetter[] = [];
      const bus = await openBus({ onBuried: (letter) => buried.push(letter) });
      await bus.publish(makeMessages(`${tag}-a`, 1, 1));
      await log.inject(`${tag}-a`, 'not a message');
      await bus.publish(makeMessages(`${tag}-a`, 2, 1));
      const { options, batches } = collect('skipping', { skipMalformed: true });
      await bus.consume(options);
      await expect.poll(() => seen(batches).map(({ slot }) => slot)).toEqual([1, 2]);
      expect(buried.filter(({ key }) => key === `${tag}-a`)).toEqual([]);
    });

    it('can be set aside by the consumer', async () => {
      const buried: DeadLetter[] = [];
      const bus = await openBus({ onBuried: (letter) => buried.push(letter) });
      const letter: DeadLetter = {
        topic: TOPIC,
        partition: 1,
        offset: 7n,
        key: `${tag}-a`,
        value: 'v',
        reason: 'no such bank',
      };
      await bus.bury(letter);
      const mine = (await log.readDeadLetters()).filter((record) => record.key === letter.key);
      expect(mine).toEqual([
        {
          key: letter.key,
          value: 'v',
          headers: { reason: 'no such bank', topic: TOPIC, partition: '1', offset: '7' },
        },
      ]);
      expect(buried).toEqual([letter]);
    });
  });

  describe('a handler that throws', TIMEOUT, () => {
    it('sees its batch again in order, while the other partitions go on', async () => {
      const bus = await openBus();
      const keys = makeKeys(tag, 24);
      let failing: number | null = null;
      let failures = 0;
      const { options, batches } = collect('throwing', {
        maxBatchSize: 10,
        handle: async (batch) => {
          if (!batch.messages.some(({ message }) => message.key === keys[0])) return;
          failing ??= batch.partition;
          if (seen(batches).some(({ partition }) => partition !== failing) && failures >= 4) return;
          failures += 1;
          throw new Error('the effect failed');
        },
      });
      await bus.publish(keys.flatMap((key) => makeMessages(key, 1, 5)));
      await bus.consume(options);
      await expect.poll(() => seen(batches).length).toBe(120);
      expect(failures).toBe(4);
      expect(slotsByKey(batches)).toEqual(Object.fromEntries(keys.map((key) => [key, [1, 2, 3, 4, 5]])));
    });
  });

  describe('a restart in the middle', TIMEOUT, () => {
    it('loses nothing and doubles nothing when the consumer is killed within a batch, again and again', async () => {
      const group = `${tag}-restart`;
      const bus = await openBus({}, MORTAL);
      await bus.publish(makeKeys(tag, 12).flatMap((key) => makeMessages(key, 1, 400)));
      for (const killedAfterMs of [150, 250, 350]) {
        const victim = await startMember({ group, maxBatchSize: 20, pauseInTransactionMs: 60 });
        await waitForLine(victim, 'handled');
        await sleep(killedAfterMs);
        victim.kill('SIGKILL');
        await once(victim, 'exit');
      }
      const done = await effects.count(group, tag);
      expect(done).toBeGreaterThan(0);
      expect(done).toBeLessThan(4_800);
      await startMember({ group });
      await expect.poll(() => effects.count(group, tag)).toBe(4_800);
      expect(await effects.doubled(group)).toEqual([]);
      expect(await effects.disordered(group, tag)).toEqual([]);
    });

    it('ends the batch at hand before it stops', async () => {
      const bus = await openBus();
      await bus.publish(makeMessages(`${tag}-a`, 1, 1));
      let state: 'before' | 'within' | 'after' = 'before';
      const { options } = collect('stopping', {
        handle: async ({ messages }) => {
          if (!messages.some(({ message }) => message.key.startsWith(tag))) return;
          state = 'within';
          await sleep(700);
          state = 'after';
        },
      });
      const consumer = await bus.consume(options);
      await expect.poll(() => state, { interval: 5 }).toBe('within');
      await consumer.stop();
      expect(state).toBe('after');
    });
  });

  describe('an outage', TIMEOUT, () => {
    it('fails a publish in bounded time that may not wait, and is waited out by others: nothing is lost, nothing doubled', async () => {
      const group = `${tag}-outage`;
      const bus = await openBus({}, { ...MORTAL, publishTimeoutMs: 60_000 });
      const hasty = await openBus({}, { publishTimeoutMs: 1_000 });
      const keys = makeKeys(tag, 12);
      await bus.consume({ group, topics: [TOPIC], startFrom: effects.startFrom(group), handle: effects.handle });
      await bus.publish(keys.flatMap((key) => makeMessages(key, 1, 10)));
      await hasty.publish(makeMessages(`hasty-${tag}`, 1, 1));
      await expect.poll(() => effects.count(group, tag)).toBe(120);
      await log.interrupt();
      const during = bus.publish(keys.flatMap((key) => makeMessages(key, 11, 10)));
      try {
        const since = performance.now();
        const failure: unknown = await hasty
          .publish(makeMessages(`hasty-${tag}`, 2, 1))
          .catch((error: unknown) => error);
        expect(isLendingError(failure) && failure.isRetryable && failure.code).toMatch(
          /^BUS__(UNAVAILABLE|PUBLISH_TIMED_OUT)$/,
        );
        expect(performance.now() - since).toBeLessThan(LOG_DEFAULTS.publishTimeoutMs - 1_000);
      } finally {
        await log.resume();
      }
      await during;
      await bus.publish(keys.flatMap((key) => makeMessages(key, 21, 10)));
      await expect.poll(() => tryPublish(hasty, `hasty-${tag}`)).toBe(true);
      // A publish that was cut off may be in the log twice, at two offsets; each offset has its effect once.
      await expect.poll(() => effects.countDistinct(group, tag), { timeout: 120_000 }).toBe(360);
      expect(await effects.doubled(group)).toEqual([]);
    });
  });

  afterAll(async () => {
    for (const member of members) member.kill('SIGKILL');
  });

  async function waitForBoth(bus: Bus, one: readonly Batch[], two: readonly Batch[]): Promise<void> {
    // Members settle while probes arrive: until the same round of probes reaches both, the group is still moving.
    await expect
      .poll(async () => {
        const from = [one.length, two.length] as const;
        await bus.publish(makeKeys(`probe-${tag}`, EVERYWHERE).flatMap((key) => makeMessages(key, 1, 1)));
        await sleep(300);
        const partitions = [one.slice(from[0]), two.slice(from[1])].map(
          (batches) => new Set(batches.map(({ partition }) => partition)).size,
        );
        return partitions;
      })
      .toEqual([3, 3]);
  }
}

function makeKeys(tag: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${tag}-${index}`);
}

async function tryPublish(bus: Bus, key: string): Promise<boolean> {
  return bus.publish(makeMessages(key, 3, 1)).then(
    () => true,
    () => false,
  );
}

async function waitForLine(member: ChildProcess, line: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let said = '';
  member.stdout?.on('data', (text: Buffer) => {
    said += text;
    if (said.includes(line)) resolve();
  });
  member.once('exit', (code) => reject(new Error(`the member ended with ${code} before it said ${line}`)));
  await promise;
}
