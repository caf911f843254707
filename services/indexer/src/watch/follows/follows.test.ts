import { LendingError } from '@lending/errors';
import type { Message } from '@lending/events';
import {
  AUTHORITY,
  anyAddress,
  createFakeBus,
  createFakeChain,
  createLineLogger,
  GROUP,
  lendingAccountContent,
  orderContent,
} from '@lending/fakes';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { createMetrics, createReadiness } from '@lending/runtime';
import type { Address } from '@solana/kit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFollowedAccounts, type IndexScope } from '#watch/accounts/followed-accounts.ts';
import { createReadBudget } from '#watch/read-budget.ts';
import { createSlotClock } from '#watch/slot-clock.ts';
import { createFollows, type FollowRequest } from './follows.ts';

const [ACCOUNT, SECOND, WALLET] = [anyAddress(1), anyAddress(2), anyAddress(3)];
const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 3 });
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const request = (
  address: string,
  aspect: FollowRequest['aspect'] = 'accounts',
  fields: Partial<FollowRequest> = {},
) => ({
  address,
  aspect,
  followedMs: 1,
  isAnswered: false,
  accounts: [],
  ...fields,
});

/** Requests in memory, a chain with an account of AUTHORITY, and whatever follows do with it. */
function start({ scope = 'on-demand', limit = 100 }: { scope?: IndexScope; limit?: number } = {}) {
  const fake = createFakeChain();
  Object.assign(fake.chain, { getHighestSlot: () => fake.slot });
  fake.accounts.set(ACCOUNT, lendingAccountContent());
  const log = createFakeBus();
  const listed: FollowRequest[] = [];
  let changed = (): void => undefined;
  const calls: string[] = [];
  const ranked: { readonly wallets: readonly Address[]; readonly callsBefore: number }[] = [];
  const clock = createSlotClock(fake.chain);
  clock.observe(1n, 1_777_000_000n);
  const followed = createFollowedAccounts(scope, () => undefined);
  const { logger, lines } = createLineLogger();
  const activity = { isComplete: true };
  const follows = createFollows({
    chain: fake.chain,
    bus: log.bus,
    program: MARGINFI_PROGRAM,
    group: GROUP,
    requests: {
      list: async () => [...listed],
      onChange(callback) {
        changed = callback;
        return () => calls.push('stop listening');
      },
    },
    followed,
    accounts: {
      async publishAsked(accounts) {
        calls.push(`publish ${accounts.map(({ address }) => address).join()} published ${log.published.length}`);
      },
      forget: (accounts) => void calls.push(`forget ${accounts.join()}`),
    },
    wallets: {
      async follow(wallet) {
        calls.push(`wallet ${wallet}`);
        return 77n;
      },
      unfollow: (wallet) => void calls.push(`no wallet ${wallet}`),
      rank: (wallets) => void ranked.push({ wallets, callsBefore: calls.length }),
    },
    activity: {
      async follow(address, accounts) {
        calls.push(`activity ${address} ${accounts.join()}`);
        return { isComplete: activity.isComplete };
      },
      unfollow: (address) => void calls.push(`no activity ${address}`),
    },
    clock,
    budget: createReadBudget(10_000),
    limit,
    logger,
    metrics: createMetrics(),
    readiness: createReadiness(),
  });
  const controller = new AbortController();
  const running = follows.run(controller.signal);
  stops.push(async () => {
    controller.abort();
    await running;
  });
  return {
    ...{ fake, log, listed, calls, ranked, followed, follows, lines, activity, signal: controller.signal },
    async ask(...requests: FollowRequest[]) {
      await follows.ready;
      listed.push(...requests);
      changed();
    },
    async drop(address: string) {
      listed.splice(0, listed.length, ...listed.filter((one) => one.address !== address));
      changed();
    },
    answers: () =>
      log.published.filter((one): one is Message<'address.followed.v1'> => one.type === 'address.followed.v1'),
  };
}

const payloads = (answers: readonly Message<'address.followed.v1'>[]) => answers.map(({ payload }) => payload);
const answer = (address: string, aspect: string, accounts: readonly Address[] = [], isComplete = true) => ({
  address,
  aspect,
  accounts,
  isComplete,
});

describe('createFollows', () => {
  it('answers an authority with its accounts, after they are published', async () => {
    const { ask, answers, calls, fake, followed } = start();
    fake.accounts.set(SECOND, lendingAccountContent());
    await ask(request(AUTHORITY));
    await until(() => expect(payloads(answers())).toEqual([answer(AUTHORITY, 'accounts', [ACCOUNT, SECOND])]));
    expect(calls).toEqual([`publish ${ACCOUNT},${SECOND} published 0`]);
    expect(followed.accounts()).toEqual([ACCOUNT, SECOND]);
    expect(answers()[0]?.id).toContain(`${AUTHORITY}:`);
  });

  it('answers a lending account with itself', async () => {
    const { ask, answers } = start();
    await ask(request(ACCOUNT));
    await until(() => expect(payloads(answers())).toEqual([answer(ACCOUNT, 'accounts', [ACCOUNT])]));
  });

  it('answers strangers, other programs, other groups and what is no address with none', async () => {
    const { ask, answers, fake } = start();
    const [foreign, other, order] = [anyAddress(10), anyAddress(11), anyAddress(12)];
    fake.accounts.set(foreign, { ...lendingAccountContent(), owner: WALLET });
    fake.accounts.set(other, lendingAccountContent({ group: WALLET }));
    fake.accounts.set(order, orderContent(ACCOUNT));
    const asked = [foreign, other, order, WALLET, 'no-address', '1'.repeat(44)];
    await ask(...asked.map((address) => request(address)));
    await until(() => expect(answers()).toHaveLength(asked.length));
    expect(new Set(payloads(answers()).map(({ address }) => address))).toEqual(new Set(asked));
    expect(payloads(answers()).every(({ accounts, isComplete }) => accounts.length === 0 && isComplete)).toBe(true);
  });

  it('counts an address as followed before the chain is read for it', async () => {
    const { ask, fake, followed } = start();
    const held = Promise.withResolvers<void>();
    fake.onRead = () => held.promise;
    await ask(request(AUTHORITY));
    await until(() => expect(followed.isWanted(anyAddress(50), AUTHORITY)).toBe(true));
    held.resolve();
  });

  it('hands wallets and activity to those who follow them', async () => {
    const { ask, answers, calls, activity } = start();
    activity.isComplete = false;
    await ask(request(WALLET, 'wallet'), request(AUTHORITY, 'activity'));
    await until(() => expect(answers()).toHaveLength(2));
    expect(payloads(answers())).toEqual(
      expect.arrayContaining([answer(WALLET, 'wallet'), answer(AUTHORITY, 'activity', [ACCOUNT], false)]),
    );
    expect(answers().find(({ key }) => key === WALLET)?.slot).toBe(77n);
    expect(calls.toSorted()).toEqual([`activity ${AUTHORITY} ${ACCOUNT}`, `wallet ${WALLET}`]);
  });

  it('says which wallets were asked for, in the order of the list and before they are read', async () => {
    const { ask, drop, ranked } = start();
    const [newest, older] = [anyAddress(60), anyAddress(61)];
    await ask(request(newest, 'wallet'), request(AUTHORITY), request('no address', 'wallet'), request(older, 'wallet'));
    await until(() => expect(ranked.at(-1)).toEqual({ wallets: [newest, older], callsBefore: 0 }));
    await drop(newest);
    await until(() => expect(ranked.at(-1)?.wallets).toEqual([older]));
  });

  it('stops following what is no longer listed, and answers anew when it comes back', async () => {
    const { ask, drop, answers, calls, followed } = start();
    await ask(request(AUTHORITY), request(WALLET, 'wallet'), request(WALLET, 'activity'));
    await until(() => expect(answers()).toHaveLength(3));
    await drop(AUTHORITY);
    await until(() => expect(calls).toContain(`forget ${ACCOUNT}`));
    expect(followed.isWanted(ACCOUNT, AUTHORITY)).toBe(false);
    await drop(WALLET);
    await until(() => expect(calls).toEqual(expect.arrayContaining([`no wallet ${WALLET}`, `no activity ${WALLET}`])));
    await ask(request(AUTHORITY));
    await until(() => expect(answers()).toHaveLength(4));
  });

  it('stops following what lapsed while it was being looked for', async () => {
    const { ask, drop, fake, calls, log } = start();
    const held = Promise.withResolvers<void>();
    fake.onRead = () => held.promise;
    await ask(request(WALLET, 'activity'));
    await until(() => expect(fake.reads.length).toBeGreaterThan(0));
    await drop(WALLET);
    await until(() => expect(calls).toEqual([`no activity ${WALLET}`]));
    held.resolve();
    const expected = [`no activity ${WALLET}`, `activity ${WALLET} `, `no activity ${WALLET}`];
    await until(() => expect(calls).toEqual(expected));
    expect(log.published).toEqual([]);
  });

  it('answers anew what lapsed and was asked for again before anybody looked', async () => {
    const { ask, answers, listed, calls } = start();
    await ask(request(AUTHORITY));
    await until(() => expect(answers()).toHaveLength(1));
    listed.length = 0;
    await ask(request(AUTHORITY, 'accounts', { followedMs: 2 }));
    await until(() => expect(answers()).toHaveLength(2));
    expect(calls).not.toContain(`forget ${ACCOUNT}`);
  });

  it('answers each request once, several at the same time', async () => {
    const { ask, answers, fake } = start();
    const held = Promise.withResolvers<void>();
    let reads = 0;
    fake.onRead = () => {
      reads += 1;
      return held.promise;
    };
    await ask(...Array.from({ length: 20 }, (_, nth) => request(anyAddress(100 + nth))));
    await ask();
    await until(() => expect(reads).toBeGreaterThanOrEqual(20));
    held.resolve();
    await until(() => expect(answers()).toHaveLength(20));
    await ask();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(answers()).toHaveLength(20);
  });

  it('answers those that were never answered first, and knows what the others were answered with', async () => {
    const { ask, answers, followed, fake } = start();
    const old = Array.from({ length: 40 }, (_, nth) =>
      request(anyAddress(200 + nth), 'accounts', { isAnswered: true, accounts: [anyAddress(300 + nth)] }),
    );
    const held = Promise.withResolvers<void>();
    fake.onRead = () => held.promise;
    await ask(...old, request(AUTHORITY));
    await until(() => expect(followed.accounts()).toHaveLength(40));
    held.resolve();
    await until(() => expect(answers()).toHaveLength(41));
    expect(answers().findIndex(({ key }) => key === AUTHORITY)).toBeLessThan(33);
  });

  it('tries again when the chain or the log was away', async () => {
    const { ask, answers, fake, log } = start();
    let failures = 1;
    fake.onRead = () => {
      failures -= 1;
      if (failures >= 0) throw new LendingError('CHAIN__RPC_UNAVAILABLE');
    };
    await ask(request(AUTHORITY));
    await until(() => expect(failures).toBeLessThan(1));
    log.isDown = true;
    await ask();
    await until(() => expect(log.refusals).toBeGreaterThan(0));
    log.isDown = false;
    await ask();
    await until(() => expect(payloads(answers())).toEqual([answer(AUTHORITY, 'accounts', [ACCOUNT])]));
  });

  it('answers again when more is known', async () => {
    const { ask, answers, fake, follows, signal } = start();
    await ask(request(AUTHORITY));
    await until(() => expect(answers()).toHaveLength(1));
    fake.accounts.set(SECOND, lendingAccountContent());
    follows.answerAgain(AUTHORITY, ['accounts', 'activity'], signal);
    await until(() => expect(payloads(answers()).at(-1)).toEqual(answer(AUTHORITY, 'accounts', [ACCOUNT, SECOND])));
    expect(answers()).toHaveLength(2);
  });

  it('follows no more than it may', async () => {
    const { ask, answers } = start({ limit: 2 });
    await ask(request(anyAddress(1)), request(anyAddress(2)), request(anyAddress(3)));
    await until(() => expect(answers()).toHaveLength(2));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(answers()).toHaveLength(2);
  });

  it('carries a thousand accounts, and says that there are more', async () => {
    const { ask, answers, fake } = start();
    for (let nth = 0; nth < 1_001; nth += 1) fake.accounts.set(anyAddress(10_000 + nth), lendingAccountContent());
    await ask(request(AUTHORITY));
    await until(() => expect(answers()).toHaveLength(1));
    expect(answers()[0]?.payload).toMatchObject({ isComplete: false });
    expect(answers()[0]?.payload.accounts).toHaveLength(1_000);
  });
});
