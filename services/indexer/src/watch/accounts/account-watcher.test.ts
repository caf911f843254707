import { anyAddress, GROUP, lendingAccountContent, orderContent, rebalanceOrderContent } from '@lending/fakes';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { findFeePoolOfAccount } from '@lending/venues';
import type { Address, Slot } from '@solana/kit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type AccountWorld,
  accountAddress,
  createAccountWorld,
  madeAccount,
  type WorldOptions,
} from '#testing/account-world.ts';

const [A, B, OWNER] = [accountAddress(1), accountAddress(2), anyAddress(70)];
const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 3 });
const worlds: AccountWorld[] = [];

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
});

function start(options: WorldOptions = {}): AccountWorld {
  const world = createAccountWorld(options);
  worlds.push(world);
  return world;
}

/** The source tells of an account as of a slot. */
function tell(
  world: AccountWorld,
  account: Address,
  slot: Slot = world.slot(),
  writeVersion: bigint | null = null,
): void {
  const update = world.stateAt(account, slot);
  if (update !== null) world.watcher.account({ kind: 'account', update, writeVersion });
}

/** The source tells that the chain went on beyond a slot. */
function tellSlot(world: AccountWorld, told: Slot = world.slot()): void {
  world.watcher.slot({ kind: 'slot', slot: told + 1n, root: 1n });
}

const accountsOf = (world: AccountWorld) => world.published.filter(({ type }) => type === 'account.updated.v1');
const progressOf = (world: AccountWorld) =>
  world.published.flatMap(({ payload }) =>
    'task' in payload ? [[payload.done, payload.total, payload.isComplete]] : [],
  );

describe('createAccountWatcher', () => {
  it('publishes what is told at once, in words', async () => {
    const world = start();
    const slot = world.write(A, madeAccount(7));
    tell(world, A);
    await until(() => expect(accountsOf(world)).toHaveLength(1));
    expect(world.published[0]).toMatchObject({
      id: `account.updated.v1:${A}:${slot}`,
      key: A,
      slot,
      payload: {
        account: A,
        writeVersion: null,
        state: { group: GROUP, lastUpdate: '7', balances: [], derivation: null },
      },
    });
  });

  it('publishes only what differs, and never what is older', async () => {
    const world = start();
    const first = world.write(A, madeAccount(1));
    const second = world.write(A, madeAccount(2));
    tell(world, A, second);
    tell(world, A, first);
    world.write(B, madeAccount(1));
    tell(world, A);
    tell(world, B);
    await until(() => expect(world.lastOf(B)).toBeDefined());
    expect(accountsOf(world).map(({ key }) => key)).toEqual([A, B]);
    expect(world.lastOf(A)?.state?.lastUpdate).toBe('2');
  });

  it('tells writes of one slot apart', async () => {
    const world = start();
    world.write(A, madeAccount(1));
    tell(world, A, world.slot(), 5n);
    const later = { address: A, slot: world.slot(), lamports: 1n, ...madeAccount(2) };
    world.watcher.account({ kind: 'account', update: later, writeVersion: 6n });
    tell(world, A, world.slot(), 5n);
    await until(() => expect(accountsOf(world)).toHaveLength(2));
    expect(world.lastOf(A)).toMatchObject({ writeVersion: '6', state: { lastUpdate: '2' } });
  });

  it('reads everything after the first gap, and says how far it is', async () => {
    const world = start();
    for (let nth = 0; nth < 250; nth += 1) world.write(accountAddress(nth), madeAccount(nth));
    await world.watcher.gap({ kind: 'gap', fromSlot: 0n, toSlot: world.slot() });
    expect(progressOf(world)).toEqual([[0, null, false]]);
    await until(() => expect(progressOf(world).at(-1)).toEqual([250, 250, true]));
    expect(new Set(accountsOf(world).map(({ key }) => key)).size).toBe(250);
  });

  it('says that an account is closed that was known and is not listed', async () => {
    const world = start({ known: [A, B] });
    world.write(B, madeAccount(1));
    await world.watcher.gap({ kind: 'gap', fromSlot: 0n, toSlot: world.slot() });
    await until(() => expect(world.lastOf(A)).toMatchObject({ account: A, state: null }));
    await until(() => expect(world.lastOf(B)?.state).not.toBeNull());
  });

  it('reads what a transaction touched and nobody told of', async () => {
    const world = start();
    world.write(A, madeAccount(1));
    tell(world, A);
    await until(() => expect(accountsOf(world)).toHaveLength(1));
    const closed = world.write(A, null);
    world.watcher.markDue([A], closed);
    await until(() => expect(world.lastOf(A)).toMatchObject({ state: null }));
  });

  it('does not read what was told of', async () => {
    const world = start();
    const slot = world.write(A, madeAccount(1));
    tell(world, A);
    world.watcher.markDue([A], slot);
    tellSlot(world);
    await until(() => expect(world.watcher.durableSlot()).toBe(slot));
    expect(accountsOf(world)).toHaveLength(1);
  });

  it('counts a slot as durable when everything told up to it is, and what was touched is read', async () => {
    const world = start();
    expect(world.watcher.durableSlot()).toBeNull();
    world.log.refusals = 5;
    const slot = world.write(A, madeAccount(1));
    tell(world, A);
    tellSlot(world);
    expect(world.watcher.durableSlot()).toBeNull();
    await until(() => expect(world.watcher.durableSlot()).toBe(slot));
    expect(world.lastOf(A)).toBeDefined();
    world.node.isDown = true;
    const touched = world.write(B, madeAccount(1));
    world.watcher.markDue([B], touched);
    tellSlot(world);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(world.watcher.durableSlot()).toBe(touched - 1n);
    world.node.isDown = false;
    await until(() => expect(world.watcher.durableSlot()).toBe(touched));
    expect(world.lastOf(B)).toBeDefined();
  });

  it('holds a long gap until the followed accounts are read, not a short one', async () => {
    const world = start({ scope: 'on-demand' });
    world.followed.follow(OWNER);
    world.followed.found(OWNER, [A]);
    world.write(A, madeAccount(1, OWNER));
    for (let nth = 0; nth < 300; nth += 1) world.write(B, madeAccount(nth));
    world.node.isDown = true;
    const from = world.slot() - 10n;
    await world.watcher.gap({ kind: 'gap', fromSlot: from, toSlot: world.slot() });
    tellSlot(world);
    expect(world.watcher.durableSlot()).toBe(world.slot());
    await world.watcher.gap({ kind: 'gap', fromSlot: 1_000n, toSlot: world.slot() });
    expect(world.watcher.durableSlot()).toBe(1_000n);
    world.node.isDown = false;
    await until(() => expect(world.watcher.durableSlot()).toBe(world.slot()));
    expect(accountsOf(world).map(({ key }) => key)).toEqual([A]);
  });

  it('publishes on demand what is followed, and a new account of a followed authority', async () => {
    const world = start({ scope: 'on-demand' });
    world.write(A, madeAccount(1));
    tell(world, A);
    world.followed.follow(OWNER);
    world.write(B, madeAccount(1, OWNER));
    tell(world, B);
    await until(() => expect(world.lastOf(B)).toBeDefined());
    expect(world.lastOf(A)).toBeUndefined();
  });

  it('publishes again what somebody asks for', async () => {
    const world = start();
    world.write(A, madeAccount(1));
    tell(world, A);
    await until(() => expect(accountsOf(world)).toHaveLength(1));
    const account = world.stateAt(A, world.slot());
    if (account === null) throw new Error('there is one');
    await world.watcher.publishAsked([account]);
    expect(accountsOf(world)).toHaveLength(2);
  });

  it('reads everything again above a fork that lost', async () => {
    const world = start();
    const dropped = world.write(A, madeAccount(1));
    tell(world, A);
    await until(() => expect(accountsOf(world)).toHaveLength(1));
    world.watcher.reread(dropped + 1n);
    world.write(A, madeAccount(2));
    world.write(B, madeAccount(1));
    await until(() => expect(world.lastOf(A)?.state?.lastUpdate).toBe('2'));
    await until(() => expect(world.lastOf(B)).toBeDefined());
  });

  it('ends while what it reads waits for a log that refuses', async () => {
    const world = createAccountWorld();
    world.log.refusals = Number.POSITIVE_INFINITY;
    const slot = world.write(A, madeAccount(1));
    world.watcher.markDue([A], slot);
    await until(() => expect(world.lines.some(({ event }) => event === 'account.update.fail')).toBe(true));
    await world.stop();
    expect(world.published).toEqual([]);
  });

  it('skips what cannot be read, says so once, and ignores other groups', async () => {
    const world = start();
    world.write(A, { owner: MARGINFI_PROGRAM, data: madeAccount(1).data.subarray(0, 100) });
    tell(world, A);
    tell(world, A);
    world.write(B, lendingAccountContent({ group: OWNER }));
    tell(world, B);
    world.write(accountAddress(3), madeAccount(1));
    tell(world, accountAddress(3));
    await until(() => expect(accountsOf(world)).toHaveLength(1));
    const rejections = world.lines.filter(({ event }) => event === 'account.update.reject');
    expect(rejections).toMatchObject([{ level: 'warn', fields: { account: A } }]);
  });

  it('publishes orders under their account, and that one is gone when its account counts fewer', async () => {
    const world = start();
    const order = anyAddress(90);
    world.write(A, lendingAccountContent({ activeOrders: 1 }));
    world.write(order, orderContent(A, { trigger: 0, tags: [3, 4] }));
    tell(world, A);
    tell(world, order);
    const orders = () => world.published.filter(({ type }) => type === 'order.updated.v1');
    await until(() => expect(orders()).toHaveLength(1));
    expect(orders()[0]).toMatchObject({
      key: A,
      payload: { order, account: A, state: { trigger: 'stop_loss', tags: [3, 4] } },
    });
    world.write(order, null);
    world.write(A, lendingAccountContent({ activeOrders: 0, lastUpdate: 9n }));
    tell(world, A);
    await until(() => expect(orders().at(-1)).toMatchObject({ key: A, payload: { order, account: A, state: null } }));
    expect(orders()).toHaveLength(2);
  });

  it('publishes orders to rebalance with what their pool holds, and reads both again when a transaction touched the account', async () => {
    const world = start();
    const order = anyAddress(91);
    const pool = await findFeePoolOfAccount(A, MARGINFI_PROGRAM);
    world.write(A, lendingAccountContent({ activeOrders: 1 }));
    world.write(order, rebalanceOrderContent(A, { amount: 5n, keeperTip: 7n }));
    tell(world, A);
    const orders = () => world.published.filter(({ type }) => type === 'rebalance.updated.v1');
    await until(() => expect(orders()).toHaveLength(1));
    expect(orders()[0]).toMatchObject({
      key: A,
      payload: { order, account: A, state: { amountBase: '5', keeperTipLamports: '7', feePoolLamports: '0' } },
    });
    world.write(pool, { owner: A, data: new Uint8Array() });
    world.write(order, rebalanceOrderContent(A, { amount: 0n, keeperTip: 7n }));
    world.watcher.markDue([A], world.slot());
    await until(() => expect(orders()).toHaveLength(2));
    expect(orders()[1]?.payload).toMatchObject({ state: { amountBase: null, feePoolLamports: '1' } });
    world.write(order, null);
    world.write(A, lendingAccountContent({ activeOrders: 0, lastUpdate: 9n }));
    tell(world, A);
    await until(() => expect(orders().at(-1)?.payload).toEqual({ order, account: A, writeVersion: null, state: null }));
  });
});
