import { healthPulseEvent } from '@lending/programs';
import { beforeEach, describe, expect, it } from 'vitest';
import * as act from '#market/lending-instructions.ts';
import { forkBorrower, openBorrower } from '../testing/borrower.ts';
import { eventsOf, expectDone } from '../testing/expect-outcome.ts';
import type { MarketChain, Party } from '../testing/market-chain.ts';

const opened = await openBorrower();
let chain: MarketChain;
let party: Party;
beforeEach(() => {
  ({ chain, party } = forkBorrower(opened));
});

const pulse = (list = chain.healthAccounts(party.account)) =>
  expectDone(chain.send(party.wallet, act.pulseHealth(party.account, list)));
const account = () => chain.marginfiAccount(party.account);
const [HEALTHY, ENGINE_OK, ORACLE_OK] = [1, 2, 4];

describe('lending_account_pulse_health', () => {
  it('writes all three requirements of a healthy account and tells them', () => {
    const [event] = eventsOf(pulse(), healthPulseEvent);
    const { healthCache, indexerFlags } = account();
    expect(event).toEqual({ account: party.account, healthCache });
    expect(healthCache.flags).toBe(HEALTHY | ENGINE_OK | ORACLE_OK);
    expect([healthCache.mrgnErr, healthCache.internalErr]).toEqual([0, 0]);
    expect([healthCache.internalLiqErr, healthCache.internalBankruptcyErr]).toEqual([6068, 6013]);
    const { assetValue, assetValueMaint, assetValueEquity } = healthCache;
    expect(assetValue).toBeGreaterThan(0n);
    expect(assetValueMaint).toBeGreaterThan(0n);
    expect(assetValueEquity).toBeGreaterThan(0n);
    expect(healthCache.liabilityValue).toBeGreaterThan(healthCache.liabilityValueMaint);
    expect(healthCache.liabilityValueMaint).toBeGreaterThan(healthCache.liabilityValueEquity);
    expect(indexerFlags).toMatchObject({ wasLiquidatable: 0, wasUnderwater: 0, hasTrivialBalance: 0, wasActive30d: 1 });
  });

  it('notes an account that may be liquidated, and one that owes more than it has', () => {
    chain.setPrice('SOL', 6_500_000n);
    pulse();
    expect(account().healthCache).toMatchObject({ mrgnErr: 6009, internalLiqErr: 0, flags: ENGINE_OK | ORACLE_OK });
    expect(account().indexerFlags).toMatchObject({ wasLiquidatable: 1, wasUnderwater: 0 });
    chain.setPrice('SOL', 20_000_000n);
    pulse();
    expect(account().indexerFlags).toMatchObject({ wasLiquidatable: 1, wasUnderwater: 1 });
  });

  it('notes collateral whose price is old, and where it stands', () => {
    chain.wait(1_000n, { publishes: false });
    chain.setPrice('SOL', 1_000_000n);
    pulse();
    const { healthCache } = account();
    const position = account().lendingAccount.balances.findIndex(({ bankPk }) => bankPk === chain.bank('USDC').address);
    expect(healthCache).toMatchObject({ internalErr: 6050, errIndex: position, mrgnErr: 6009, internalLiqErr: 6050 });
    expect(healthCache.flags).toBe(ENGINE_OK);
  });

  it('notes a debt whose price is old: nothing can be said', () => {
    chain.wait(1_000n, { publishes: false });
    chain.setPrice('USDC', 1_000_000n);
    pulse();
    expect(account().healthCache).toMatchObject({ mrgnErr: 6049, internalLiqErr: 6049, internalBankruptcyErr: 6049 });
    expect(account().healthCache.flags & (ENGINE_OK | ORACLE_OK)).toBe(0);
  });

  it('notes a list that is not the account’s', () => {
    pulse([]);
    expect(account().healthCache).toMatchObject({ mrgnErr: 6008, internalLiqErr: 6008, flags: 0, assetValue: 0n });
  });

  it('notes no error for a list that holds the account itself: the program cannot read what it is writing', () => {
    const flags = account().indexerFlags;
    pulse([party.account, ...chain.healthAccounts(party.account)]);
    expect(account().healthCache).toMatchObject({ mrgnErr: 0, internalLiqErr: 0, internalBankruptcyErr: 0, flags: 0 });
    expect(account().indexerFlags).toEqual(flags);
  });

  it('knows a debt in an isolated bank by its bank alone', () => {
    chain.edit(chain.bank('SOL').address, (data) => data.fill(1, 784, 785));
    pulse();
    expect(account().indexerFlags.hasIsolated).toBe(1);
    chain.edit(chain.bank('SOL').address, (data) => data.fill(0, 784, 785));
    const list = chain.healthAccounts(party.account);
    // The last bank's oracle is missing: no verdict, and yet.
    pulse(list.slice(0, -1));
    expect(account().healthCache.mrgnErr).toBe(6051);
    expect(account().indexerFlags.hasIsolated).toBe(0);
    chain.edit(chain.bank('SOL').address, (data) => data.fill(1, 784, 785));
    pulse(list.slice(0, 1));
    expect(account().indexerFlags.hasIsolated).toBe(0);
  });

  it('lets the activity flags lapse after thirty and sixty days', () => {
    chain.wait(30n * 86_400n);
    pulse();
    expect(account().indexerFlags).toMatchObject({ wasActive30d: 1, wasActive60d: 1 });
    chain.wait(1n);
    pulse();
    expect(account().indexerFlags).toMatchObject({ wasActive30d: 0, wasActive60d: 1 });
    chain.wait(30n * 86_400n);
    pulse();
    expect(account().indexerFlags).toMatchObject({ wasActive30d: 0, wasActive60d: 0 });
  });

  it('notes an account worth less than a dollar', () => {
    const list = () => chain.healthAccounts(party.account);
    expectDone(chain.send(party.wallet, act.repay(party, chain.bank('SOL'), 'all')));
    expectDone(chain.send(party.wallet, act.withdraw(party, chain.bank('USDC'), 7_999_500_000n, list())));
    pulse();
    expect(account().indexerFlags).toMatchObject({ hasTrivialBalance: 1, wasUnderwater: 0, isLendingOnly: 1 });
  });
});
