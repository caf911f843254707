import { floorI80F48, type I80F48, I80F48_ONE, multiplyI80F48, premiumOwed } from '@lending/domain';
import { type LeverageState, type LiveBank, unitsOf } from '@lending/transactions';
import { decodeBank, type P0Account } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { AfterSimulation } from './account-after.ts';

/** What became of an account's balances in the two banks of a loop or a close: base units of their mints, signed, rounded to the nearest. */
export interface MovedAmounts {
  /** In the deposit bank. */
  readonly collateral: bigint;
  /** Owed to the borrow bank, with its premium. */
  readonly debt: bigint;
  /** Deposited in the borrow bank. */
  readonly surplus: bigint;
}

/** Measures balances at the moment of the simulation, before and after, so that interest until then is no part of it. */
export function movedAmounts(state: LeverageState, after: AfterSimulation): MovedAmounts {
  const before = state.account.state;
  const { collateral, debt } = state;
  const change = (bank: Address, side: Side) => sharesOf(after.account, bank, side) - sharesOf(before, bank, side);
  const deposited = (live: LiveBank) => {
    const moved = change(live.bank.address, 'assetShares');
    const inBooks = nearest(multiplyI80F48(moved, shareValueOf(state, after, live, 'assetShareValue')));
    const worth = worthOf(live, after, sizeOf(inBooks));
    return inBooks < 0n ? -worth : worth;
  };
  const owed = change(debt.live.bank.address, 'liabilityShares');
  const principal = multiplyI80F48(owed, shareValueOf(state, after, debt.live, 'liabilityShareValue'));
  return {
    collateral: deposited(collateral.live),
    debt: nearest(principal + premiumIn(state, after.account, after) - premiumIn(state, before, after)),
    surplus: deposited(debt.live),
  };
}

/**
 * By how much more the account's positions in the two banks are shown afterwards, base units of their mints, signed: each is shown rounded
 * down, before and after with the interest up to the simulation.
 */
export function shownChanges(state: LeverageState, after: AfterSimulation): Pick<MovedAmounts, 'collateral' | 'debt'> {
  const { collateral, debt } = state;
  const deposit = (account: P0Account | null) => {
    const shares = sharesOf(account, collateral.live.bank.address, 'assetShares');
    const value = shareValueOf(state, after, collateral.live, 'assetShareValue');
    return worthOf(collateral.live, after, floorI80F48(multiplyI80F48(shares, value)));
  };
  const owed = (account: P0Account | null) => {
    const shares = sharesOf(account, debt.live.bank.address, 'liabilityShares');
    const value = shareValueOf(state, after, debt.live, 'liabilityShareValue');
    return floorI80F48(multiplyI80F48(shares, value) + premiumIn(state, account, after));
  };
  const before = state.account.state;
  return { collateral: deposit(after.account) - deposit(before), debt: owed(after.account) - owed(before) };
}

type Side = 'assetShares' | 'liabilityShares';

function shareValueOf(
  { program }: LeverageState,
  { accounts }: AfterSimulation,
  { bank }: LiveBank,
  value: 'assetShareValue' | 'liabilityShareValue',
): I80F48 {
  const bytes = accounts.get(bank.address);
  return (bytes ? decodeBank(bytes, program) : bank).shares[value];
}

/** Tokens that base units of a bank's books are worth. */
function worthOf(live: LiveBank, { accounts }: AfterSimulation, inBooks: bigint): bigint {
  return unitsOf(live, accounts)?.worth(inBooks) ?? inBooks;
}

/** What an account owes the borrow bank in premium at the moment of the simulation. */
function premiumIn({ debt, program }: LeverageState, account: P0Account | null, after: AfterSimulation): I80F48 {
  const { address } = debt.live.bank;
  const [bytes, balance] = [after.accounts.get(address), account?.balances.find(({ bank }) => bank === address)];
  if (balance === undefined) return 0n;
  const bank = bytes ? decodeBank(bytes, program) : debt.live.bank;
  return premiumOwed(bank, balance, after.accounts.unixTimestamp);
}

function sharesOf(account: P0Account | null, bank: Address, side: Side): I80F48 {
  return account?.balances.find((balance) => balance.bank === bank)?.[side] ?? 0n;
}

/** Shares are cut off below 2⁻⁴⁸, so a whole number of base units comes back a hair short of itself. */
function nearest(value: I80F48): bigint {
  return (value + I80F48_ONE / 2n) >> 48n;
}

function sizeOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}
