import type { ProgramSource } from '@lending/chain';
import { LendingError } from '@lending/errors';
import { decodeMessage, encodeMessage } from '@lending/events';
import {
  bankContent,
  createFakeBus,
  createFakeChain,
  createLineLogger,
  GROUP,
  MINT,
  mintContent,
} from '@lending/fakes';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { createMetrics, createReadiness } from '@lending/runtime';
import type { Address } from '@solana/kit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bankAddress } from '#testing/messages.ts';
import { followProgram } from '#watch/program-stream.ts';
import { createBankWatcher } from './bank-watcher.ts';

const [BANK, OTHER] = [bankAddress(1), bankAddress(2)];
const COLLECT_MS = 5;
const GROUP_CONTENT = { owner: MARGINFI_PROGRAM, data: new Uint8Array(8) };
const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 5 });
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A chain with two banks, a log and everything a watcher wants; `start` runs it. */
function createMarket() {
  const fake = createFakeChain();
  fake.accounts.set(BANK, bankContent()).set(OTHER, bankContent()).set(MINT, mintContent());
  const log = createFakeBus();
  const readiness = createReadiness();
  const { logger, lines } = createLineLogger();
  const known: (() => Promise<readonly Address[]>)[] = [];
  const knownBanks = () => (known.length > 1 ? known.shift() : known[0])?.() ?? Promise.resolve([]);
  const start = ({ reconcileMs = 60_000, kind = 'pubsub' as ProgramSource['kind'] } = {}) => {
    const stopping = new AbortController();
    const { chain, source } = fake;
    const common = { chain, bus: log.bus, program: MARGINFI_PROGRAM, group: GROUP, logger, metrics: createMetrics() };
    const options = { ...common, sourceKind: kind, collectMs: COLLECT_MS, reconcileMs, knownBanks, readiness };
    const watcher = createBankWatcher(options);
    const target = { program: MARGINFI_PROGRAM, accounts: [], transactions: false };
    const { signal } = stopping;
    const running = Promise.all([watcher.run(signal), followProgram(source, target, [watcher], { ...common, signal })]);
    const stop = async (): Promise<void> => {
      stopping.abort();
      await running;
    };
    stops.push(stop);
    return { stop };
  };
  const seen = () => log.published.map(({ type, key }) => `${type} ${key}`);
  /** What is published about the first bank, by its weight. */
  const weights = () =>
    log.published.flatMap((message) =>
      message.type === 'bank.updated.v1' && 'weights' in message.payload && message.key === BANK
        ? [message.payload.weights.assetInit]
        : [],
    );
  const setWeight = (assetWeightInit: bigint) => fake.accounts.set(BANK, bankContent({ config: { assetWeightInit } }));
  return { fake, log, readiness, lines, known, start, seen, weights, setWeight };
}

/** Long enough for several rounds. */
async function rounds({ fake }: ReturnType<typeof createMarket>): Promise<void> {
  const before = fake.reads.length;
  await until(() => expect(fake.reads.length).toBeGreaterThan(before + 5));
}

const HALF = 1n << 47n;

describe('createBankWatcher', () => {
  it('publishes every bank of the group at first, as valid messages', async () => {
    const market = createMarket();
    market.fake.accounts.set(bankAddress(3), bankContent({ group: OTHER }));
    market.start();
    await until(() => expect(market.log.published).toHaveLength(2));
    expect(market.seen().sort()).toEqual([`bank.updated.v1 ${BANK}`, `bank.updated.v1 ${OTHER}`].sort());
    for (const message of market.log.published)
      expect(decodeMessage('bank.updated.v1', encodeMessage(message))).toEqual(message);
    expect(market.log.published[0]).toMatchObject({ slot: 104n, time: '2026-04-24T03:06:40.000Z', source: 'localnet' });
    expect(market.readiness.getStatus()).toMatchObject({
      ready: true,
      components: [{ name: 'bank-watcher' }, { name: 'known-banks' }],
    });
  });

  it('publishes a changed bank, and neither its neighbours nor one whose configuration is the same', async () => {
    const market = createMarket();
    market.start();
    await until(() => expect(market.log.published).toHaveLength(2));
    market.fake.accounts.set(OTHER, bankContent({ totalAssetShares: 5n, lastUpdate: 9n }));
    market.fake.touch(OTHER);
    await until(() => expect(market.fake.asked.at(-1)?.[0]).toBe(OTHER));
    market.setWeight(HALF);
    market.fake.touch(BANK);
    await until(() => expect(market.weights()).toEqual(['0', '0.5']));
    expect(market.log.published).toHaveLength(3);
  });

  it('reads only banks that are due', async () => {
    const market = createMarket();
    market.start();
    await until(() => expect(market.log.published).toHaveLength(2));
    market.fake.asked.length = 0;
    market.fake.touch(BANK);
    await until(() => expect(market.fake.asked).toHaveLength(2));
    expect(market.fake.asked.map(([bank]) => bank)).toEqual([BANK, BANK]);
  });

  it('keeps a change until its message is durable', async () => {
    const market = createMarket();
    market.start();
    await until(() => expect(market.log.published).toHaveLength(2));
    market.log.isDown = true;
    market.setWeight(HALF);
    market.fake.touch(BANK);
    await until(() => expect(market.log.refusals).toBeGreaterThan(2));
    expect(market.readiness.getStatus().components[0]?.reason).toMatch(/^BUS__UNAVAILABLE/);
    market.log.isDown = false;
    await until(() => expect(market.weights()).toEqual(['0', '0.5']));
    expect(market.readiness.getStatus().ready).toBe(true);
    expect(market.lines.filter(({ event }) => event === 'bank.watch.fail')).toHaveLength(1);
    expect(market.lines.filter(({ event }) => event === 'bank.watch.resume')).toHaveLength(1);
  });

  it('keeps a change while the chain cannot be read', async () => {
    const market = createMarket();
    market.start();
    await until(() => expect(market.log.published).toHaveLength(2));
    let failures = 0;
    market.fake.onRead = () => {
      failures += 1;
      if (failures <= 3) throw new LendingError('CHAIN__RPC_UNAVAILABLE');
    };
    market.setWeight(HALF);
    market.fake.touch(BANK);
    await until(() => expect(market.weights()).toEqual(['0', '0.5']));
    expect(failures).toBeGreaterThan(3);
  });

  it('does not lose a change that is told while the bank is being read', async () => {
    const market = createMarket();
    market.start();
    await until(() => expect(market.log.published).toHaveLength(2));
    market.setWeight(HALF);
    const readsBefore = market.fake.reads.length;
    market.fake.touch(BANK);
    const reading = Promise.withResolvers<void>();
    const answered = market.fake.chain.fetchAccountGroups;
    let isFirst = true;
    Object.assign(market.fake.chain, {
      async fetchAccountGroups(...args: Parameters<typeof answered>) {
        const answer = await answered(...args);
        // The answer is on its way when the bank changes again.
        if (market.fake.reads.length === readsBefore + 2 && isFirst) {
          isFirst = false;
          market.setWeight(HALF * 2n);
          market.fake.touch(BANK);
          await new Promise((resolve) => setTimeout(resolve, 20));
          reading.resolve();
        }
        return answer;
      },
    });
    await reading.promise;
    await until(() => expect(market.weights()).toEqual(['0', '0.5', '1']));
  });

  it('reads all banks after a gap', async () => {
    const market = createMarket();
    market.start();
    await until(() => expect(market.log.published).toHaveLength(2));
    market.setWeight(HALF);
    const third = bankAddress(3);
    market.fake.accounts.set(third, bankContent());
    market.fake.emit({ kind: 'gap', fromSlot: 100n, toSlot: 110n });
    await until(() => expect(market.log.published).toHaveLength(4));
    expect(market.weights()).toEqual(['0', '0.5']);
    expect(market.seen()).toContain(`bank.updated.v1 ${third}`);
  });

  it('reads no banks after the gap of a polling beat, but after a long one', async () => {
    const market = createMarket();
    market.start({ kind: 'polling' });
    await until(() => expect(market.log.published).toHaveLength(2));
    market.setWeight(HALF);
    const listed = () => market.fake.reads.filter((read) => read === 'listProgramAccounts').length;
    const before = listed();
    for (let slot = 100n; slot < 200n; slot += 10n)
      market.fake.emit({ kind: 'gap', fromSlot: slot, toSlot: slot + 18n });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(listed()).toBe(before);
    market.fake.emit({ kind: 'gap', fromSlot: 210n, toSlot: 400n });
    await until(() => expect(market.weights()).toEqual(['0', '0.5']));
  });

  it('does not lose a gap that is told while the banks are being listed', async () => {
    const market = createMarket();
    const third = bankAddress(3);
    market.fake.onRead = async (method) => {
      if (method !== 'listProgramAccounts' || market.fake.reads.length > 1) return;
      // The list was made before this bank was there.
      market.fake.accounts.set(third, bankContent());
      market.fake.emit({ kind: 'gap', fromSlot: 0n, toSlot: 101n });
      await new Promise((resolve) => setTimeout(resolve, 20));
    };
    market.start();
    await until(() => expect(market.seen()).toContain(`bank.updated.v1 ${third}`));
  });

  it.each([-1n, 2n ** 63n - 1n])('is not ready while the clock says %s, and goes on after', async (clock) => {
    const market = createMarket();
    const usual = market.fake.unixTimestamp;
    market.fake.unixTimestamp = clock;
    market.start();
    const reason = () => market.readiness.getStatus().components[0]?.reason;
    await until(() => expect(reason()).toMatch(/^DECODE__VALUE_OUT_OF_RANGE: .* no time/));
    expect(market.log.published).toEqual([]);
    market.fake.unixTimestamp = usual;
    await until(() => expect(market.log.published).toHaveLength(2));
    expect(market.readiness.getStatus().ready).toBe(true);
  });

  it('lists the banks again until that succeeds', async () => {
    const market = createMarket();
    let failures = 0;
    market.fake.onRead = (method) => {
      failures += 1;
      if (method === 'listProgramAccounts' && failures <= 2) throw new LendingError('CHAIN__RPC_TIMED_OUT');
    };
    market.start();
    await until(() => expect(market.log.published).toHaveLength(2));
  });

  it('finds changes that nobody told of', async () => {
    const market = createMarket();
    market.start({ reconcileMs: 20 });
    await until(() => expect(market.log.published).toHaveLength(2));
    market.setWeight(HALF);
    await until(() => expect(market.weights()).toEqual(['0', '0.5']));
    await rounds(market);
    expect(market.log.published).toHaveLength(3);
  });

  it.each(['told', 'not told'])(
    'rejects a closed bank once when it is %s, and publishes it when it is back',
    async (how) => {
      const market = createMarket();
      market.start({ reconcileMs: how === 'told' ? 60_000 : 20 });
      await until(() => expect(market.log.published).toHaveLength(2));
      market.fake.accounts.delete(BANK);
      if (how === 'told') market.fake.touch(BANK);
      await until(() => expect(market.log.published).toHaveLength(3));
      expect(market.log.published[2]).toMatchObject({
        type: 'bank.rejected.v1',
        key: BANK,
        payload: { bank: BANK, reason: 'account_gone' },
      });
      if (how === 'not told') await rounds(market);
      expect(market.log.published).toHaveLength(3);
      market.fake.accounts.set(BANK, bankContent());
      if (how === 'told') market.fake.touch(BANK);
      await until(() => expect(market.seen().at(3)).toBe(`bank.updated.v1 ${BANK}`));
    },
  );

  it('rejects a bank that was closed while nobody watched, and no bank that is still there', async () => {
    const market = createMarket();
    const gone = bankAddress(3);
    market.fake.accounts.set(GROUP, GROUP_CONTENT);
    market.known.push(async () => [BANK, gone]);
    market.start({ reconcileMs: 20 });
    await until(() => expect(market.log.published).toHaveLength(3));
    await rounds(market);
    expect(market.seen().sort()).toEqual(
      [`bank.updated.v1 ${BANK}`, `bank.updated.v1 ${OTHER}`, `bank.rejected.v1 ${gone}`].sort(),
    );
    expect(market.log.published.find(({ key }) => key === gone)?.payload).toEqual({
      bank: gone,
      reason: 'account_gone',
    });
  });

  it('learns of a bank that others knew only later', async () => {
    const market = createMarket();
    const gone = bankAddress(3);
    market.fake.accounts.set(GROUP, GROUP_CONTENT);
    market.known.push(
      async () => [],
      async () => [gone],
    );
    market.start({ reconcileMs: 20 });
    await until(() => expect(market.seen()).toContain(`bank.rejected.v1 ${gone}`));
  });

  it.each(['is not on the chain', 'belongs to another program'])(
    'rejects no known bank of a group that %s',
    async (how) => {
      const market = createMarket();
      if (how !== 'is not on the chain') market.fake.accounts.set(GROUP, { ...GROUP_CONTENT, owner: OTHER });
      market.known.push(async () => [bankAddress(3)]);
      market.start({ reconcileMs: 20 });
      await until(() => expect(market.log.published).toHaveLength(2));
      await rounds(market);
      expect(market.log.published).toHaveLength(2);
    },
  );

  it('watches on while the known banks cannot be asked for, says so, and asks again', async () => {
    const market = createMarket();
    const gone = bankAddress(3);
    market.fake.accounts.set(GROUP, GROUP_CONTENT);
    market.known.push(
      () => Promise.reject(new LendingError('STORE__UNAVAILABLE')),
      async () => [gone],
    );
    market.start({ reconcileMs: 500 });
    await until(() => expect(market.log.published).toHaveLength(2));
    expect(market.readiness.getStatus().components).toMatchObject([
      { name: 'bank-watcher', ready: true },
      { name: 'known-banks', ready: false, reason: expect.stringMatching(/^STORE__UNAVAILABLE/) },
    ]);
    await until(() => expect(market.seen()).toContain(`bank.rejected.v1 ${gone}`));
    expect(market.readiness.getStatus().ready).toBe(true);
    expect(market.lines.map(({ event }) => event)).toEqual([
      'bank.recall.fail',
      'bank.recall.resume',
      'bank.account.reject',
    ]);
  });

  it('rejects a truncated bank once, with its reason, and says so', async () => {
    const market = createMarket();
    const { owner, data } = bankContent();
    market.fake.accounts.set(BANK, { owner, data: data.subarray(0, 1_000) });
    market.start({ reconcileMs: 20 });
    await until(() => expect(market.log.published).toHaveLength(2));
    await rounds(market);
    expect(market.log.published).toHaveLength(2);
    const rejected = market.log.published.find(({ type }) => type === 'bank.rejected.v1');
    const reason = 'account_malformed';
    const detail = expect.stringMatching(/^DECODE__ACCOUNT_MALFORMED: .* 1000 bytes/);
    expect(rejected).toMatchObject({ key: BANK, payload: { bank: BANK, reason } });
    expect(decodeMessage('bank.rejected.v1', encodeMessage(rejected as NonNullable<typeof rejected>))).toEqual(
      rejected,
    );
    const said = market.lines.filter(({ event }) => event === 'bank.account.reject');
    expect(said).toEqual([{ level: 'warn', event: 'bank.account.reject', fields: { bank: BANK, reason, detail } }]);
  });

  it('publishes a bank that appears while it is read, at once and with its token program', async () => {
    const market = createMarket();
    const third = bankAddress(3);
    market.start();
    await until(() => expect(market.log.published).toHaveLength(2));
    const before = market.fake.reads.length;
    market.fake.onRead = () => {
      if (market.fake.reads.length === before + 2) market.fake.accounts.set(third, bankContent());
    };
    market.fake.accounts.set(third, bankContent());
    market.fake.touch(third);
    // The node that is read is behind the one that notified.
    market.fake.accounts.delete(third);
    await until(() => expect(market.log.published).toHaveLength(3));
    expect(market.log.published[2]).toMatchObject({
      type: 'bank.updated.v1',
      key: third,
      payload: { tokenProgram: 'spl' },
    });
  });

  it('reads no account that is gone and was no bank', async () => {
    const market = createMarket();
    market.start();
    await until(() => expect(market.log.published).toHaveLength(2));
    market.fake.touch(bankAddress(3));
    market.setWeight(HALF);
    market.fake.touch(BANK);
    await until(() => expect(market.weights()).toEqual(['0', '0.5']));
    expect(market.log.published).toHaveLength(3);
    expect(market.fake.asked.flat()).not.toContain(bankAddress(3));
  });

  it('stops when told to, with the round at hand', async () => {
    const market = createMarket();
    const { stop } = market.start();
    await until(() => expect(market.log.published).toHaveLength(2));
    await stop();
    const { length } = market.fake.reads;
    market.fake.touch(BANK);
    await new Promise((resolve) => setTimeout(resolve, 5 * COLLECT_MS));
    expect(market.fake.reads).toHaveLength(length);
  });
});
