import { formatFraction } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import {
  findJuplendFTokenMint,
  JUPLEND_LENDING_PROGRAM,
  NO_KEY,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { AccountBytes } from '#account.ts';
import type { AccountSearch, ListAccounts } from '../venue-adapter.ts';
import { juplendAdapter } from './adapter.ts';
import { JUPLEND_MINT, JUPLEND_UPDATED, type MadePool, madeJuplendPool } from './testing/made-reserve.ts';

const moment = { slot: 400_000_000n, unixTimestamp: JUPLEND_UPDATED + 3_600n, slotMicros: 400_000n };

/** Answers searches as a node does, from these accounts. */
function listFrom(accounts: readonly AccountBytes[]): ListAccounts {
  return async ({ program, filters, slice }: AccountSearch) =>
    accounts
      .filter(
        ({ owner, data }) =>
          filters.every((filter) =>
            filter.kind === 'size'
              ? data.length === filter.bytes
              : filter.bytes.every((byte, index) => data[filter.offset + index] === byte),
          ) && owner === program,
      )
      .map((account) => ({
        ...account,
        data: slice === undefined ? account.data : account.data.subarray(slice.offset, slice.offset + slice.length),
      }));
}

const rejectNone = (reserve: Address, error: unknown): never => {
  throw new Error(`${reserve} was rejected`, { cause: error });
};

async function read(pool: MadePool = {}, change = (accounts: (AccountBytes | null)[]) => accounts) {
  const accounts = await madeJuplendPool(pool);
  const [keys] = await juplendAdapter.discover(listFrom(accounts), rejectNone);
  if (keys === undefined) throw new Error('nothing was discovered');
  return juplendAdapter.readReserve(keys, change([...accounts]), moment);
}

describe('juplendAdapter', () => {
  it('finds a pool with all accounts that its reading asks for', async () => {
    const accounts = await madeJuplendPool();
    const found = await juplendAdapter.discover(listFrom(accounts), rejectNone);
    expect(found).toEqual([
      {
        venue: 'juplend',
        address: '2vVYHYM8VYnvZqQWpTJSj8o8DBf1wM8pVs3bsTgYZiqJ',
        market: '7s1da8DduuBFqGra5bJBjpnvL5E9mGzCuMk1Qkh4or2Z',
        mint: JUPLEND_MINT,
        accounts: accounts.map(({ address }) => address),
      },
    ]);
  });

  it('expects the rewards of a pool that has none set at their derived address', async () => {
    const accounts = await madeJuplendPool({ lending: { rewardsRateModel: NO_KEY } });
    const [keys] = await juplendAdapter.discover(listFrom(accounts), rejectNone);
    expect(keys?.accounts).toEqual(accounts.map(({ address }) => address));
  });

  it('tells of a pool whose token reserve is missing and finds its neighbours', async () => {
    const [lending, ...others] = await madeJuplendPool();
    if (lending === undefined) throw new Error('no pool');
    const stray = { ...lending, address: NO_KEY, data: lending.data.slice() };
    stray.data.fill(7, 131, 163);
    const rejected: unknown[] = [];
    const found = await juplendAdapter.discover(listFrom([stray, lending, ...others]), (reserve, error) =>
      rejected.push([reserve, isLendingError(error) ? error.code : error]),
    );
    expect(rejected).toEqual([[NO_KEY, 'DECODE__ACCOUNT_MALFORMED']]);
    expect(found.map(({ address }) => address)).toEqual([lending.address]);
  });

  it('reads a pool accrued to the moment', async () => {
    const reading = await read();
    expect(reading).toMatchObject({
      decimals: 6,
      receiptMint: (await findJuplendFTokenMint(JUPLEND_MINT))[0],
      symbol: null,
      status: 'active',
      statusReasons: [],
      incentives: [],
      price: null,
      lastUpdate: { slot: null, unixTimestamp: JUPLEND_UPDATED },
    });
    expect(formatFraction(reading.rates.depositApr ?? 0n)).toBe('0.033244146');
    expect(reading.rates.poolRewardApr).toBe(0n);
    expect(reading.sizes).toEqual({
      depositsBase: (401_387_174_957_279n * 1_030_000_619_184n) / 10n ** 12n,
      borrowsBase: (330_640_000_000_000n * 1_045_005_272_717n) / 10n ** 12n,
      availableBase: 67_900_000_000_000n,
    });
    // The price of an fToken grew by 379,499,367 in 10^14.
    expect(reading.exchangeRateE18).toBe((1_045_000_000_000n + 3_965_768n) * 10n ** 6n);
  });

  it('leaves out of the vault what is claimed', async () => {
    const { sizes } = await read({ reserve: { totalClaimAmount: 900_000_000_000n } });
    expect(sizes.availableBase).toBe(67_000_000_000_000n);
  });

  it('pays rewards through the price, and none where their account is missing', async () => {
    const rewards = { startTime: 1n, duration: 10n ** 12n, yearlyReward: 12_736_500_000_000n };
    const paid = await read({ rewards });
    // 390,000,000 fTokens at 1.045 are 407,550,000 tokens.
    expect(formatFraction(paid.rates.poolRewardApr ?? 0n)).toMatch(/^0\.03125/);
    const unpaid = await read({ rewards }, (accounts) => accounts.with(4, null));
    expect(unpaid.rates.poolRewardApr).toBe(0n);
    expect(paid.exchangeRateE18).toBeGreaterThan(unpaid.exchangeRateE18 ?? 0n);
    const unset = await read({ rewards, lending: { rewardsRateModel: NO_KEY } });
    expect(unset.rates.poolRewardApr).toBe(0n);
    expect(unset.exchangeRateE18).toBe(unpaid.exchangeRateE18);
  });

  it('knows no reward of an empty pool that the program itself cannot update', async () => {
    const rewards = { startTime: 1n, duration: 10n ** 12n, yearlyReward: 1_000n };
    const { rates, exchangeRateE18 } = await read({ rewards, fTokenSupply: 0n });
    expect(rates.poolRewardApr).toBeNull();
    expect(exchangeRateE18).toBe(1_045_000_000_000_000_000n);
  });

  it.each([
    [{ isLocked: true }, 'suspended', ['liquidity_locked']],
    [{ position: { status: 1 } }, 'suspended', ['position_paused']],
    [{ position: { status: 2 } }, 'closed', ['position_not_set']],
    [{ position: { status: 9 } }, 'unknown', ['position_status_unknown']],
    [{ model: { version: 3 } }, 'unknown', ['rate_model_unknown']],
    [{ lending: { rewardsRateModel: NO_KEY } }, 'closed', ['rewards_model_not_set']],
    [{ isLocked: true, position: { status: 9 } }, 'suspended', ['liquidity_locked', 'position_status_unknown']],
  ] as const)('says of %j that it is %s', async (pool, status, reasons) => {
    const reading = await read(pool);
    expect(reading).toMatchObject({ status, statusReasons: reasons });
    expect(reading.limits).toMatchObject({ depositRoomBase: 0n, withdrawRoomBase: 0n });
  });

  it('closes a pool without a position', async () => {
    const reading = await read({}, (accounts) => accounts.with(3, null));
    expect(reading).toMatchObject({ status: 'closed', statusReasons: ['position_missing'] });
  });

  it('reads mints and vaults of Token-2022, which are longer', async () => {
    const longer = (account: AccountBytes | null | undefined, kind: number): AccountBytes => {
      const { data, ...found } = held(account);
      const extended = new Uint8Array(170);
      extended.set(data);
      return { ...found, owner: TOKEN_2022_PROGRAM, data: extended.with(165, kind) };
    };
    const reading = await read({}, (accounts) =>
      accounts.with(5, longer(accounts[5], 1)).with(6, longer(accounts[6], 2)),
    );
    expect(reading.sizes.availableBase).toBe(67_900_000_000_000n);
  });

  it.each([
    ['a missing pool', (accounts: (AccountBytes | null)[]) => accounts.with(0, null), 'DECODE__ACCOUNT_MALFORMED'],
    [
      'an account of another program',
      (accounts: (AccountBytes | null)[]) => accounts.with(1, { ...held(accounts[1]), owner: TOKEN_PROGRAM }),
      'DECODE__OWNER_MISMATCH',
    ],
    [
      'an account of another kind',
      (accounts: (AccountBytes | null)[]) => accounts.with(0, { ...held(accounts[1]), owner: JUPLEND_LENDING_PROGRAM }),
      'DECODE__DISCRIMINATOR_MISMATCH',
    ],
    [
      'a token reserve of another mint',
      (accounts: (AccountBytes | null)[]) => {
        const reserve = held(accounts[1]);
        return accounts.with(1, { ...reserve, data: reserve.data.with(8, 0) });
      },
      'DECODE__ACCOUNT_MALFORMED',
    ],
    [
      'a token account for a mint',
      (accounts: (AccountBytes | null)[]) => accounts.with(5, held(accounts[6])),
      'DECODE__ACCOUNT_MALFORMED',
    ],
    [
      'a vault of another mint',
      (accounts: (AccountBytes | null)[]) => {
        const vault = held(accounts[6]);
        return accounts.with(6, { ...vault, data: vault.data.with(0, 0) });
      },
      'DECODE__ACCOUNT_MALFORMED',
    ],
  ])('refuses %s', async (_what, change, code) => {
    await expect(read({}, change)).rejects.toMatchObject({ code });
  });
});

function held(account: AccountBytes | null | undefined): AccountBytes {
  if (account === null || account === undefined) throw new Error('no such account');
  return account;
}
