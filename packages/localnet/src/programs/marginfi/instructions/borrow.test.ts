import { lendingAccountBorrowEvent, MARGINFI_MAIN_GROUP, rateLimitFlowEvent } from '@lending/programs';
import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { INSTRUCTIONS_SYSVAR } from '#engine/runtime-addresses.ts';
import * as act from '#market/lending-instructions.ts';
import { forkBorrower, openBorrower } from '../testing/borrower.ts';
import { errorOf, eventsOf, expectDone } from '../testing/expect-outcome.ts';
import type { MarketChain, Party } from '../testing/market-chain.ts';

const opened = await openBorrower();
let chain: MarketChain;
let party: Party;
beforeEach(() => {
  ({ chain, party } = forkBorrower(opened));
});

const SOL = 1_000_000_000n;
const sol = () => chain.bank('SOL');
const list = (...banks: Address[]) => chain.healthAccounts(party.account, { with: banks });
const borrow = (amount: bigint, name = 'SOL') =>
  chain.send(party.wallet, act.borrow(party, chain.bank(name), amount, list(chain.bank(name).address)));
const account = () => chain.marginfiAccount(party.account);
const setU64 = (address: Address, offset: number, value: bigint) =>
  chain.edit(address, (data) => new DataView(data.buffer).setBigUint64(offset, value, true));

/** The largest amount that still passes, by trying. */
function edgeOf(passes: (amount: bigint) => boolean, most: bigint): bigint {
  let [low, high] = [0n, most];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (passes(middle)) low = middle;
    else high = middle;
  }
  return low;
}

describe('lending_account_borrow', () => {
  it('pays out, books the debt and keeps a healthy cache with prices', async () => {
    const before = await chain.tokens(party.wallet, 'SOL');
    const result = expectDone(borrow(2n * SOL));
    expect((await chain.tokens(party.wallet, 'SOL')) - before).toBe(2n * SOL);
    expect(eventsOf(result, lendingAccountBorrowEvent)).toMatchObject([
      { bank: sol().address, mint: sol().mint, amount: 2n * SOL },
    ]);
    const { healthCache, indexerFlags, lastUpdate } = account();
    expect(healthCache).toMatchObject({ flags: 3, mrgnErr: 0, internalErr: 0, programVersion: 3, assetValueMaint: 0n });
    expect(healthCache.timestamp).toBe(chain.context.unixTimestamp);
    expect(healthCache.assetValue).toBeGreaterThan(healthCache.liabilityValue);
    expect(healthCache.liabilityValue).toBeGreaterThan(0n);
    const { prices } = healthCache;
    expect(prices.filter((price) => price > 0)).toHaveLength(2);
    expect(indexerFlags).toMatchObject({ isSingleBorrower: 1, isLendingOnly: 0, hasIsolated: 0 });
    expect(lastUpdate).toBe(BigInt(chain.context.unixTimestamp));
  });

  it('passes to the last unit that initial health allows, and not one further', () => {
    const passes = (amount: bigint) => {
      const fork = chain.fork();
      const result = fork.send(party.wallet, act.borrow(party, sol(), amount, list()));
      if (result.error !== null) expect(errorOf(result)).toBe('RiskEngineInitRejected');
      return result.error === null;
    };
    const edge = edgeOf(passes, 1_000n * SOL);
    expect(edge).toBeGreaterThan(10n * SOL);
    expectDone(borrow(edge));
    const { assetValue, liabilityValue } = account().healthCache;
    expect(assetValue - liabilityValue).toBeGreaterThanOrEqual(0n);
    expect(assetValue - liabilityValue).toBeLessThan(1n << 30n);
    expect(errorOf(borrow(1n))).toBe('RiskEngineInitRejected');
  });

  it('splits the origination fee between group and program', () => {
    const rate = 1n << 46n;
    chain.edit(sol().address, (data) => {
      const view = new DataView(data.buffer);
      view.setBigUint64(480, rate, true);
      view.setBigUint64(488, 0n, true);
    });
    const feesOf = (offset: number) => {
      const view = new DataView(chain.data(sol().address).buffer);
      return (view.getBigInt64(offset + 8, true) << 64n) | view.getBigUint64(offset, true);
    };
    const before = [feesOf(240), feesOf(904)] as const;
    const result = expectDone(borrow(SOL));
    const [event] = eventsOf(result, lendingAccountBorrowEvent);
    expect(event?.amount).toBe(SOL + SOL / 4n);
    const fee = (SOL << 48n) / 4n;
    const toProgram = (fee * chain.group().feeStateCache.programFeeRate) >> 48n;
    expect([feesOf(240) - before[0], feesOf(904) - before[1]]).toEqual([fee - toProgram, toProgram]);
  });

  it('counts collateral with a stale feed as nothing, and refuses a debt with one', () => {
    chain.wait(1_000n, { publishes: false });
    chain.setPrice('SOL', 1_000_000n);
    expect(errorOf(borrow(1n))).toBe('RiskEngineInitRejected');
    chain.wait(100n, { publishes: false });
    chain.setPrice('USDC', 1_000_000n);
    expect(errorOf(borrow(1n))).toBe('SwitchboardStalePrice');
  });

  it('refuses a price that is less certain than the bank accepts', () => {
    chain.edit(chain.bank('USDC').address, (data) => new DataView(data.buffer).setUint32(804, 1, true));
    expect(errorOf(borrow(1n))).toBe('OracleMaxConfidenceExceeded');
  });

  it.each<[string, () => readonly Address[], unknown]>([
    ['without health accounts', () => [], 'InvalidBankAccount'],
    ['with the accounts in another order', () => [...list()].reverse(), 3007],
    ['with the banks in another order', () => reordered(), 'InvalidBankAccount'],
    ['without the last oracle', () => list().slice(0, -1), 'WrongNumberOfOracleAccounts'],
  ])('refuses to go %s', (_, accounts, error) => {
    expect(errorOf(chain.send(party.wallet, act.borrow(party, sol(), 1n, accounts())))).toBe(error);
  });

  it('takes another feed than the bank’s for collateral without a price', () => {
    const accounts = list().map((address) => (address === chain.bank('USDC').oracle.keys[0] ? sol().address : address));
    const result = chain.send(party.wallet, act.borrow(party, sol(), 1n, accounts));
    expect(errorOf(result)).toBe('RiskEngineInitRejected');
  });

  it('refuses to borrow what is deposited, and a debt of less than one share', () => {
    expect(errorOf(borrow(1n, 'USDC'))).toBe('OperationBorrowOnly');
    expect(errorOf(borrow(1n, 'USDT'))).toBe('IllegalBalanceState');
    expectDone(borrow(2n, 'USDT'));
  });

  it('refuses an isolated debt beside another, after health', () => {
    expect(errorOf(borrow(100n, 'ORCA'))).toBe('IsolatedAccountIllegalState');
  });

  it('marks an isolated debt', () => {
    expectDone(chain.send(party.wallet, act.repay(party, sol(), 'all')));
    expectDone(borrow(100n, 'ORCA'));
    expect(account().indexerFlags).toMatchObject({ hasIsolated: 1, isSingleBorrower: 1 });
    expectDone(chain.send(party.wallet, act.repay(party, chain.bank('ORCA'), 'all')));
    expect(account().indexerFlags).toMatchObject({ hasIsolated: 0, isSingleBorrower: 0 });
  });

  it('stops at the borrow limit and where nothing is left to lend', () => {
    const debts = (sol().shares.totalLiabilityShares * sol().shares.liabilityShareValue) >> 96n;
    setU64(sol().address, 776, debts + 1_000n);
    expect(errorOf(borrow(1_001n))).toBe('BankLiabilityCapacityExceeded');
    expectDone(borrow(998n));
    setU64(sol().address, 776, 2n ** 64n - 1n);
    expect(errorOf(borrow(500_000_000n * SOL))).toBe('IllegalUtilizationRatio');
    chain.edit(sol().liquidityVault, (data) => data.fill(0, 64, 72));
    expect(errorOf(borrow(SOL))).toBe(1);
  });

  it('stops at the hourly and the daily limit of the bank', () => {
    for (const [offset, seconds, error] of [
      [1_656, 3_600n, 'BankHourlyRateLimitExceeded'],
      [1_696, 86_400n, 'BankDailyRateLimitExceeded'],
    ] as const) {
      setU64(sol().address, offset, SOL);
      setU64(sol().address, offset + 8, seconds);
      setU64(sol().address, offset + 16, chain.context.unixTimestamp);
      const refused = borrow(SOL + 1n);
      expect(errorOf(refused)).toBe(error);
      expect(refused.logs.join()).toContain('state/rate_limiter.rs:358');
      setU64(sol().address, offset, 0n);
    }
    setU64(sol().address, 1_656, SOL);
    expectDone(borrow(SOL));
    expect(errorOf(borrow(2n))).toBe('BankHourlyRateLimitExceeded');
  });

  it('finds the instructions of the transaction at home with the sysvars, and no token account in them', () => {
    const instruction = act.borrow(party, sol(), SOL, list(sol().address));
    const accounts = instruction.accounts?.map((meta, index) =>
      index === 4 ? { ...meta, address: INSTRUCTIONS_SYSVAR } : meta,
    );
    expect(errorOf(chain.send(party.wallet, { ...instruction, accounts: accounts ?? [] }))).toBe(3007);
  });

  it('asks the group’s limit in whole USD at the unbiased price', () => {
    setU64(MARGINFI_MAIN_GROUP, 376, 10n);
    setU64(MARGINFI_MAIN_GROUP, 384, 3_600n);
    setU64(MARGINFI_MAIN_GROUP, 392, chain.context.unixTimestamp);
    expect(errorOf(borrow(SOL))).toBe('GroupHourlyRateLimitExceeded');
    expect(eventsOf(expectDone(borrow(SOL / 100n)), rateLimitFlowEvent)).toMatchObject([
      { bank: sol().address, flowDirection: 0, nativeAmount: SOL / 100n },
    ]);
  });

  it.each<[string, () => void, unknown]>([
    ['a disabled account', () => setU64(party.account, 1_800, 1n), 'AccountDisabled'],
    ['a frozen account', () => setU64(party.account, 1_800, 64n), 'AccountFrozen'],
    ['a bank that only reduces', () => setState(2), 'BankReduceOnly'],
    ['a paused bank', () => setState(0), 'BankPaused'],
    ['a bank that is wound up', () => setU64(sol().address, 840, 32n), 'ForbiddenIx'],
  ])('refuses %s', (_, spoil, error) => {
    spoil();
    expect(errorOf(borrow(1n))).toBe(error);
  });

  it('keeps the price it used, as the feed has it, in the bank', () => {
    expectDone(borrow(1n));
    const view = new DataView(chain.data(sol().address).buffer);
    expect(view.getBigInt64(1_424, true)).toBe(chain.context.unixTimestamp);
    expect(view.getBigUint64(1_408, true) > 100n << 48n).toBe(true);
    expect(view.getBigUint64(1_456, true)).toBe(1n << 48n);
  });
});

function reordered(): readonly Address[] {
  const accounts = list();
  return [...accounts.slice(2), ...accounts.slice(0, 2)];
}

function setState(state: number): void {
  chain.edit(sol().address, (data) => {
    data[608] = state;
  });
}
