import { LendingError } from '@lending/errors';
import type { Message } from '@lending/events';
import {
  type AccountContent,
  anyAddress,
  createFakeBus,
  createFakeChain,
  createLineLogger,
  MINT,
  mintContent,
  vaultContent,
} from '@lending/fakes';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, tokenAccountLayout } from '@lending/programs';
import { createMetrics, createReadiness } from '@lending/runtime';
import type { Address } from '@solana/kit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createReadBudget } from '#watch/read-budget.ts';
import { createSlotClock } from '#watch/slot-clock.ts';
import { createWalletWatcher } from './wallet-watcher.ts';

const [WALLET, OTHER, NEW_MINT] = [anyAddress(1), anyAddress(2), anyAddress(3)];
const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 5 });
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function tokenAccount(
  amount: bigint,
  mint: Address = MINT,
  { owner = WALLET, state = 1, program = TOKEN_PROGRAM } = {},
) {
  const none = { isSome: false, value: owner };
  const fields = { mint, owner, amount, delegate: none, state, isNative: { isSome: false, value: 0n } };
  const data = tokenAccountLayout.encode({ ...fields, delegatedAmount: 0n, closeAuthority: none });
  return { owner: program, data: Uint8Array.from(data) };
}

function start({ everyMs = 60_000, kind = 'pubsub' as 'pubsub' | 'polling' } = {}) {
  const fake = createFakeChain();
  fake.accounts.set(MINT, mintContent());
  fake.accounts.set(NEW_MINT, mintContent('token_2022'));
  const log = createFakeBus();
  const clock = createSlotClock(fake.chain);
  clock.observe(1n, 1_777_000_000n);
  const { logger } = createLineLogger();
  const watcher = createWalletWatcher({
    chain: fake.chain,
    source: { kind },
    bus: log.bus,
    clock,
    budget: createReadBudget(100_000),
    everyMs,
    logger,
    metrics: createMetrics(),
    readiness: createReadiness(),
  });
  const controller = new AbortController();
  const running = watcher.run(controller.signal);
  stops.push(async () => {
    controller.abort();
    await running;
  });
  return {
    ...{ fake, log, watcher, signal: controller.signal },
    hold(lamports: bigint, ...accounts: AccountContent[]) {
      const addresses = accounts.map((content, nth) => {
        fake.accounts.set(anyAddress(20_000 + nth), content);
        return anyAddress(20_000 + nth);
      });
      fake.wallets.set(WALLET, { lamports, accounts: addresses });
    },
    wallets: () => log.published.filter((one): one is Message<'wallet.updated.v1'> => one.type === 'wallet.updated.v1'),
  };
}

describe('createWalletWatcher', () => {
  it('publishes SOL and the accounts of both token programs, empty and frozen ones too', async () => {
    const { hold, watcher, wallets, signal } = start();
    hold(5n, tokenAccount(7n), tokenAccount(0n, NEW_MINT, { state: 2, program: TOKEN_2022_PROGRAM }));
    const slot = await watcher.follow(WALLET, signal);
    const about = { decimals: 6, symbol: null, name: null };
    expect(wallets()).toMatchObject([
      {
        key: WALLET,
        slot,
        payload: {
          wallet: WALLET,
          lamports: '5',
          holdings: [
            {
              ...about,
              tokenAccount: anyAddress(20_000),
              mint: MINT,
              tokenProgram: 'spl',
              amountBase: '7',
              isFrozen: false,
            },
            {
              ...about,
              tokenAccount: anyAddress(20_001),
              mint: NEW_MINT,
              tokenProgram: 'token_2022',
              amountBase: '0',
              isFrozen: true,
            },
          ],
          holdingsLeftOut: 0,
        },
      },
    ]);
  });

  it('publishes nothing but zeros for a wallet that the chain does not know', async () => {
    const { watcher, wallets, signal } = start();
    await watcher.follow(WALLET, signal);
    expect(wallets()[0]?.payload).toEqual({ wallet: WALLET, lamports: '0', holdings: [], holdingsLeftOut: 0 });
  });

  it('leaves out what is not its own, and counts a holding whose mint nobody can read', async () => {
    const { hold, watcher, wallets, signal } = start();
    hold(0n, tokenAccount(1n, MINT, { owner: OTHER }), tokenAccount(2n, anyAddress(9)), vaultContent(3n));
    await watcher.follow(WALLET, signal);
    expect(wallets()[0]?.payload).toMatchObject({ holdings: [], holdingsLeftOut: 1 });
  });

  it('carries the thousand largest holdings and counts the others', async () => {
    const { hold, watcher, wallets, signal } = start();
    hold(0n, ...Array.from({ length: 1_003 }, (_, nth) => tokenAccount(BigInt(nth))));
    await watcher.follow(WALLET, signal);
    const payload = wallets()[0]?.payload;
    expect(payload?.holdingsLeftOut).toBe(3);
    expect(payload?.holdings.map(({ amountBase }) => Number(amountBase)).sort((a, b) => a - b)[0]).toBe(3);
    expect(payload?.holdings.map(({ tokenAccount: at }) => at)).toEqual(
      payload?.holdings.map((one) => one.tokenAccount).sort(),
    );
  });

  it('reads again on its beat, and publishes every reading, changed or not', async () => {
    const { hold, watcher, wallets, signal } = start({ everyMs: 20 });
    hold(5n);
    await watcher.follow(WALLET, signal);
    await until(() => expect(wallets().length).toBeGreaterThan(2));
    const slots = wallets().map(({ slot }) => slot);
    expect(slots).toEqual([...new Set(slots)].sort((a, b) => Number(a - b)));
    hold(6n);
    await until(() => expect(wallets().at(-1)?.payload.lamports).toBe('6'));
  });

  it('reads a wallet soon that is heard to change, but not all the time', async () => {
    const { fake, hold, watcher, wallets, signal } = start();
    watcher.rank([WALLET]);
    expect(fake.heardWallets).toEqual([WALLET]);
    hold(5n);
    await watcher.follow(WALLET, signal);
    hold(6n);
    const startMs = performance.now();
    fake.touchWallet(WALLET);
    await until(() => expect(wallets()).toHaveLength(2));
    expect(performance.now() - startMs).toBeGreaterThan(700);
    expect(wallets()[1]?.payload.lamports).toBe('6');
  });

  it('reads a wallet soon whose lending account changed', async () => {
    const { hold, watcher, wallets, signal } = start();
    hold(5n);
    await watcher.follow(WALLET, signal);
    hold(6n);
    watcher.markChanged(OTHER);
    watcher.markChanged(WALLET);
    await until(() => expect(wallets().map(({ payload }) => payload.lamports)).toEqual(['5', '6']));
  });

  it('reads once more what changes while it is read, unless the reading has seen it', async () => {
    const { fake, hold, watcher, wallets, signal } = start();
    watcher.rank([WALLET]);
    hold(5n);
    const told: bigint[] = [];
    fake.onRead = (method) => {
      if (method !== 'fetchTokenAccountsOfOwner' || told.length > 1) return;
      // First of the slot of this reading, then of a later one.
      fake.slot += BigInt(told.length);
      told.push(fake.slot);
      fake.touchWallet(WALLET);
      fake.slot -= BigInt(told.length - 1);
    };
    await watcher.follow(WALLET, signal);
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    expect(wallets()).toHaveLength(1);
    await watcher.follow(WALLET, signal);
    await until(() => expect(wallets()).toHaveLength(3));
    expect(wallets()[2]?.slot).toBeGreaterThanOrEqual(told[1] ?? 0n);
  });

  it('hears of no wallets where the source only polls', async () => {
    const { fake, watcher } = start({ kind: 'polling' });
    watcher.rank([WALLET]);
    expect(fake.heardWallets).toEqual([]);
  });

  it('publishes again what somebody asks for, and nothing of what nobody follows', async () => {
    const { hold, watcher, wallets, signal } = start();
    hold(5n);
    await watcher.follow(WALLET, signal);
    await watcher.follow(WALLET, signal);
    expect(wallets()).toHaveLength(2);
    watcher.unfollow(WALLET);
    watcher.markChanged(WALLET);
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    expect(wallets()).toHaveLength(2);
  });

  it('lets others go before one that cannot be read', async () => {
    const { fake, watcher, wallets, signal } = start();
    await watcher.follow(WALLET, signal);
    await watcher.follow(OTHER, signal);
    const fetch = fake.chain.fetchTokenAccountsOfOwner;
    let refused = 0;
    Object.assign(fake.chain, {
      fetchTokenAccountsOfOwner: async (wallet: Address) => {
        if (wallet !== WALLET) return fetch(wallet);
        refused += 1;
        throw new LendingError('CHAIN__RPC_UNAVAILABLE');
      },
    });
    const ofOther = () => wallets().filter(({ key }) => key === OTHER);
    watcher.markChanged(WALLET);
    for (const count of [2, 3]) {
      watcher.markChanged(OTHER);
      await until(() => expect(ofOther()).toHaveLength(count));
    }
    expect(refused).toBe(1);
  });

  it('goes on after an outage', async () => {
    const { fake, hold, watcher, wallets, signal } = start({ everyMs: 20 });
    hold(5n);
    await watcher.follow(WALLET, signal);
    let refusals = 1;
    fake.onRead = () => {
      refusals -= 1;
      if (refusals >= 0) throw new LendingError('CHAIN__RPC_UNAVAILABLE');
    };
    hold(6n);
    await until(() => expect(wallets().at(-1)?.payload.lamports).toBe('6'));
    expect(refusals).toBeLessThan(0);
  });
});
