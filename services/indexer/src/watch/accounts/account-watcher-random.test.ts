import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@lending/events';
import { marginfiAccountLayout } from '@lending/programs';
import type { Address, Slot } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type AccountWorld, accountAddress, createAccountWorld, madeAccount } from '#testing/account-world.ts';

const ACCOUNTS = 5;
const SHORT_GAP = 200n;

/**
 * `write`   an account changes or is closed; told at once, twice, late, or never because the socket is cut.
 * `mend`    the socket is back: a gap is told, and what was touched in it by its transactions. `idle` slots passed besides.
 * `outage`  the log refuses, or the node is down.
 */
type Step =
  | { kind: 'write'; account: number; isClosed: boolean; told: 'once' | 'twice' | 'late' | 'never' }
  | { kind: 'mend'; idle: number }
  | { kind: 'outage'; of: 'log' | 'node' }
  | { kind: 'wait'; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      account: fc.nat(ACCOUNTS - 1),
      isClosed: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
      told: fc.constantFrom('once', 'twice', 'late', 'never'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mend' as const), idle: fc.constantFrom(0, 0, 300) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('outage' as const), of: fc.constantFrom('log', 'node') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 12 }) }) },
);

/** A change that the watcher has heard of. */
interface Told {
  readonly account: Address;
  readonly slot: Slot;
}

/** Lives through the steps, checking on the way that what counts as durable is. */
async function live(world: AccountWorld, steps: readonly Step[]): Promise<void> {
  const { watcher } = world;
  const missed: Told[] = [];
  const late: Told[] = [];
  const told: Told[] = [];
  let toldUpTo = world.slot();

  function tell({ account, slot }: Told): void {
    const update = world.stateAt(account, slot);
    // Nodes do not tell of closed accounts; their transactions do.
    if (update === null) watcher.markDue([account], slot);
    else watcher.account({ kind: 'account', update, writeVersion: null });
  }

  function goOn(): void {
    if (missed.length > 0) return;
    for (const one of late.splice(0).reverse()) {
      tell(one);
      told.push(one);
    }
    toldUpTo = world.slot();
    watcher.slot({ kind: 'slot', slot: toldUpTo + 1n, root: 1n });
  }

  async function mend(idle: number): Promise<void> {
    for (let nth = 0; nth < idle; nth += 1) world.write(accountAddress(99), madeAccount(nth));
    if (idle > 0) missed.push({ account: accountAddress(99), slot: world.slot() });
    const [fromSlot, toSlot] = [toldUpTo, world.slot()];
    if (fromSlot >= toSlot) return;
    const isShort = toSlot - fromSlot <= SHORT_GAP;
    // Whoever reads the transactions of a short gap has marked them before its slots count as durable.
    if (isShort) for (const one of [...missed, ...late]) watcher.markDue([one.account], one.slot);
    await watcher.gap({ kind: 'gap', fromSlot, toSlot });
    if (isShort) told.push(...missed, ...late);
    missed.length = 0;
    late.length = 0;
    toldUpTo = toSlot;
    watcher.slot({ kind: 'slot', slot: toSlot + 1n, root: 1n });
  }

  async function take(one: Step, nth: number): Promise<void> {
    switch (one.kind) {
      case 'write': {
        const account = accountAddress(one.account);
        const slot = world.write(account, one.isClosed ? null : madeAccount(nth));
        const change = { account, slot };
        if (one.told === 'never') missed.push(change);
        else if (one.told === 'late') late.push(change);
        else {
          for (let time = 0; time < (one.told === 'twice' ? 2 : 1); time += 1) tell(change);
          told.push(change);
        }
        return goOn();
      }
      case 'mend':
        return mend(one.idle);
      case 'outage':
        if (one.of === 'log') world.log.refusals += 2;
        else world.node.isDown = !world.node.isDown;
        return;
      case 'wait':
        await sleep(one.ms);
    }
  }

  await watcher.gap({ kind: 'gap', fromSlot: 0n, toSlot: world.slot() });
  for (const [nth, one] of steps.entries()) {
    await take(one, nth);
    expectDurable(world, told);
  }
  world.node.isDown = false;
  await mend(0);
  goOn();
}

/** Every change that was told and lies in a durable slot is in the log, or something newer is. */
function expectDurable(world: AccountWorld, told: readonly Told[]): void {
  const durable = world.watcher.durableSlot() ?? 0n;
  for (const { account, slot } of told) {
    if (slot > durable) continue;
    const states = world.published.filter((one) => one.key === account && 'account' in one.payload);
    const isThere = states.some((one) => one.slot >= slot || saysTheSame(world, one, slot));
    if (!isThere) throw new Error(`${account} of slot ${slot} is not in the log, but ${durable} counts as durable`);
  }
}

function saysTheSame(world: AccountWorld, message: Message, slot: Slot): boolean {
  return (
    JSON.stringify(shown(world, message.key as Address, message.slot)) ===
    JSON.stringify(shown(world, message.key as Address, slot))
  );
}

const shown = (world: AccountWorld, account: Address, slot: Slot) => {
  const state = world.stateAt(account, slot);
  return state && [...state.data];
};

describe('createAccountWatcher, whatever happens in whatever order', () => {
  it('ends with the newest state of every account, never goes back, and never says too much is durable', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 40 }),
        fc.integer(),
        fc.nat(20),
        async (steps, seed, lag) => {
          const world = createAccountWorld({ random: randomOf(seed) });
          world.node.lagSlots = lag;
          try {
            await live(world, steps);
            for (let nth = 0; nth < ACCOUNTS; nth += 1) {
              await vi.waitFor(() => expectLast(world, accountAddress(nth)), { timeout: 60_000, interval: 5 });
            }
            await vi.waitFor(() => expect(world.watcher.durableSlot()).toBe(world.slot()), {
              timeout: 30_000,
              interval: 5,
            });
            expectInOrder(world);
          } finally {
            await world.stop();
          }
        },
      ),
      // One that hangs is named with its seed.
      { numRuns: Number(process.env.FUZZ_RUNS ?? 25), endOnFailure: true, timeout: 120_000 },
    );
  });
});

/** What was published last says which write it was; null: closed, or never there. */
function expectLast(world: AccountWorld, account: Address): void {
  const written = world.stateAt(account, world.slot());
  const nth = written && marginfiAccountLayout.decode(written.data).lastUpdate.toString();
  expect(world.lastOf(account)?.state?.lastUpdate ?? null).toBe(nth);
}

/** A batch that was refused may stand in the log in part, and once more whole; without those, slots only rise. */
function expectInOrder(world: AccountWorld): void {
  const messages = world.published.filter(({ type }) => type === 'account.updated.v1');
  const last = new Map(messages.map((message, at) => [message.id, at]));
  const newest = new Map<string, Slot>();
  for (const [at, { id, key, slot }] of messages.entries()) {
    if (last.get(id) !== at) continue;
    expect(slot).toBeGreaterThanOrEqual(newest.get(key) ?? 0n);
    newest.set(key, slot);
  }
}

/** The same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
