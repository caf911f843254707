import { type I80F48, I80F48_ONE, multiplyI80F48, premiumOwed } from '@lending/domain';
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
  const change = (bank: Address, side: 'assetShares' | 'liabilityShares') =>
    sharesOf(after.account, bank, side) - sharesOf(before, bank, side);
  const deposited = (live: LiveBank) => {
    const inBooks = nearest(
      multiplyI80F48(change(live.bank.address, 'assetShares'), shareValueOf(live, 'assetShareValue')),
    );
    const size = sizeOf(inBooks);
    const worth = unitsOf(live, after.accounts)?.worth(size) ?? size;
    return inBooks < 0n ? -worth : worth;
  };
  const shareValueOf = ({ bank }: LiveBank, value: 'assetShareValue' | 'liabilityShareValue') => {
    const bytes = after.accounts.get(bank.address);
    return (bytes ? decodeBank(bytes, state.program) : bank).shares[value];
  };
  const owed = change(debt.live.bank.address, 'liabilityShares');
  const principal = multiplyI80F48(owed, shareValueOf(debt.live, 'liabilityShareValue'));
  return {
    collateral: deposited(collateral.live),
    debt: nearest(principal + premiumIn(state, after.account, after) - premiumIn(state, before, after)),
    surplus: deposited(debt.live),
  };
}

/** What an account owes the borrow bank in premium at the moment of the simulation. */
function premiumIn({ debt, program }: LeverageState, account: P0Account | null, after: AfterSimulation): I80F48 {
  const { address } = debt.live.bank;
  const [bytes, balance] = [after.accounts.get(address), account?.balances.find(({ bank }) => bank === address)];
  if (balance === undefined) return 0n;
  const bank = bytes ? decodeBank(bytes, program) : debt.live.bank;
  return premiumOwed(bank, balance, after.accounts.unixTimestamp);
}

function sharesOf(account: P0Account | null, bank: Address, side: 'assetShares' | 'liabilityShares'): I80F48 {
  return account?.balances.find((balance) => balance.bank === bank)?.[side] ?? 0n;
}

/** Shares are cut off below 2⁻⁴⁸, so a whole number of base units comes back a hair short of itself. */
function nearest(value: I80F48): bigint {
  return (value + I80F48_ONE / 2n) >> 48n;
}

function sizeOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}
