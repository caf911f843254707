import { I80F48_ONE, integerToI80F48 } from '@lending/domain';
import { klendReserveLayout } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import type { ActionAmount, LendingActionKind } from '#action.ts';
import { reserveAddress, setKaminoBank } from '#testing/made-kamino.ts';
import { bankAddress, createMadeMarket, deposit, type MadeMarket, mintAddress } from '#testing/made-market.ts';
import { readMade } from '#testing/read-made.ts';
import { unitsOf } from './bank-units.ts';
import { findActionRefusal } from './find-action-refusal.ts';
import { oracleToCome } from './prices-to-come.ts';

const ONE = 1_000_000n;

/** A Kamino bank at a dollar, a bank of P0's own, and a wallet with enough of both tokens. */
async function kaminoMarket() {
  const market = createMadeMarket();
  setKaminoBank(market, 0);
  market.setBank(1);
  for (const nth of [0, 1]) await market.setTokens(mintAddress(nth), 10n ** 15n);
  return market;
}

async function refusal(market: MadeMarket, kind: LendingActionKind, nth: number, amount: ActionAmount) {
  return findActionRefusal(await readMade(market, kind, nth), { kind, bank: bankAddress(nth), amount });
}

/** The refusal of an amount, whose figure passes on the same state, and no base unit more. */
async function edgeOf(market: MadeMarket, kind: 'deposit' | 'withdraw', amount: ActionAmount) {
  const state = await readMade(market, kind, 0);
  const ask = (asked: ActionAmount) => findActionRefusal(state, { kind, bank: bankAddress(0), amount: asked });
  const refused = ask(amount);
  const max = BigInt(refused?.context[`max_${kind}_raw`] as string);
  expect(ask(max)).toBeNull();
  expect(ask(max + 1n)).not.toBeNull();
  return refused;
}

describe('a bank of another venue', () => {
  it('is valued as the refresh in the same transaction will leave it', async () => {
    const market = await kaminoMarket();
    market.setAccount([deposit(0, 100n * ONE)]);
    const state = await readMade(market, 'withdraw', 0);
    const { target } = state;
    if (target === null) throw new TypeError('no target');
    expect(target.oracle).toMatchObject({ kind: 'loaded', staleError: 'ReserveStale' });
    const toCome = oracleToCome(target, state);
    if (toCome.kind !== 'loaded') throw new TypeError('not loaded');
    expect(toCome.staleError).toBeNull();
    // Two tokens a receipt when it was last refreshed, and a little interest since.
    const interest = toCome.multiplier - 2n * I80F48_ONE;
    expect(interest).toBeGreaterThan(0n);
    expect(interest).toBeLessThan(I80F48_ONE / 1_000n);
    expect(unitsOf(target, state.accounts)?.worth(ONE)).toBe(2_000_000n + (interest * ONE) / I80F48_ONE);
  });

  it('says in tokens what its own limit and the venue’s still take', async () => {
    const booked = { totalAssetShares: integerToI80F48(1_000n * ONE) };
    const market = createMadeMarket();
    setKaminoBank(market, 0, { ...booked, config: { depositLimit: 1_010n * ONE } });
    await market.setTokens(mintAddress(0), 10n ** 15n);
    market.setAccount([]);
    const byBank = await edgeOf(market, 'deposit', 100n * ONE);
    expect(byBank).toMatchObject({ code: 'ACTION__DEPOSIT_EXCEEDED', context: { limited_by: 'deposit_cap' } });
    const max = BigInt(byBank?.context.max_deposit_raw as string);
    // Ten receipts short of the limit, worth a little above two tokens each.
    expect(max).toBeGreaterThanOrEqual(20n * ONE);
    expect(max).toBeLessThan(20n * ONE + 100n);
    setKaminoBank(market, 0, booked, { depositLimit: 2_000_010n * ONE });
    const byVenue = await edgeOf(market, 'deposit', 100n * ONE);
    expect(byVenue).toMatchObject({ code: 'ACTION__DEPOSIT_EXCEEDED', context: { limited_by: 'deposit_cap' } });
    expect(byVenue?.message).toContain('Kamino');
    const room = BigInt(byVenue?.context.max_deposit_raw as string);
    expect(room).toBeLessThan(10n * ONE);
  });

  it('says what the venue pays out at present', async () => {
    const market = createMadeMarket();
    const window = {
      configCapacity: 50n * ONE,
      currentTotal: 0n,
      lastIntervalStartTimestamp: 1_777_000_000n,
      configIntervalLengthSeconds: 86_400n,
    };
    setKaminoBank(market, 0, {}, { depositWithdrawalCap: window });
    market.setAccount([deposit(0, 100n * ONE)]);
    await market.setTokens(mintAddress(0), 0n);
    expect(await edgeOf(market, 'withdraw', 'all')).toMatchObject({
      code: 'ACTION__WITHDRAW_EXCEEDED',
      context: { max_withdraw: 50, limited_by: 'liquidity' },
    });
  });

  it('counts them with the rounding of P0’s program, which on a small reserve is not the venue’s', async () => {
    const market = createMadeMarket();
    setKaminoBank(market, 0);
    market.setAccount([deposit(0, ONE)]);
    const made = market.accounts.get(reserveAddress(0));
    if (made === undefined) throw new TypeError('no reserve');
    const { liquidity, collateral, ...reserve } = klendReserveLayout.decode(made.data);
    const small = {
      ...reserve,
      liquidity: { ...liquidity, mintDecimals: 9n, totalAvailableAmount: 7n, borrowedAmountSf: 0n },
      collateral: { ...collateral, mintTotalSupply: 5n },
    };
    market.put(reserveAddress(0), { ...made, data: Uint8Array.from(klendReserveLayout.encode(small)) });
    const { target, accounts } = await readMade(market, 'withdraw', 0);
    if (target === null) throw new TypeError('no target');
    const units = unitsOf(target, accounts);
    expect(units?.worth(5_000_000n)).toBe(7_000_000n);
    expect(units?.counted(5_000_000n, 7_000_000n)).toBe(7_000_001n);
  });

  it('lends nothing out, and nothing is owed to it', async () => {
    const market = await kaminoMarket();
    market.setAccount([deposit(1, 100n * ONE)]);
    expect(await refusal(market, 'borrow', 0, ONE)).toMatchObject({ code: 'ACTION__BORROW_UNSUPPORTED' });
    expect(await refusal(market, 'repay', 0, ONE)).toMatchObject({ code: 'ACTION__REPAY_EXCEEDED' });
  });

  it('is refused when the venue is shut, or its accounts cannot be read', async () => {
    const market = createMadeMarket();
    setKaminoBank(market, 0, {}, { emergencyMode: 1 });
    market.setAccount([deposit(0, 100n * ONE)]);
    expect(await refusal(market, 'withdraw', 0, ONE)).toMatchObject({
      code: 'ACTION__BANK_UNAVAILABLE',
      context: { state: 'Suspended', reasons: ['reserve_emergency'], venue: 'Kamino' },
    });
    setKaminoBank(market, 0, { config: { operationalState: 2 } }, { emergencyMode: 1 });
    expect(await refusal(market, 'deposit', 0, ONE)).toMatchObject({ context: { state: 'ReduceOnly' } });
    setKaminoBank(market, 0);
    const cut = market.accounts.get(reserveAddress(0));
    if (cut === undefined) throw new TypeError('no reserve');
    market.put(reserveAddress(0), { ...cut, data: cut.data.subarray(0, 100) });
    const isUnreadable = { code: 'ACTION__BANK_UNAVAILABLE', context: { bank: bankAddress(0) } };
    await expect(readMade(market, 'withdraw', 0)).rejects.toMatchObject(isUnreadable);
    market.accounts.delete(reserveAddress(0));
    await expect(readMade(market, 'withdraw', 0)).rejects.toMatchObject(isUnreadable);
  });
});
