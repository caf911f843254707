import { amountBeforeFee, floorI80F48, integerToI80F48, multiplyI80F48, U64_MAX } from '@lending/domain';
import { type LeverageState, type PairedBank, type SizedLeverage, unitsOf } from '@lending/transactions';
import type { P0Account, P0Balance } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { AfterSimulation } from './account-after.ts';
import type { MovedAmounts } from './moved-amounts.ts';

/** What a loop or a close did to the lending account other than what was sized, in a few words; null where nothing. */
export function findLendingAccountFault(
  state: LeverageState,
  sized: SizedLeverage,
  after: AfterSimulation,
  moved: MovedAmounts,
): string | null {
  const { account } = after;
  if (account === null) return 'the lending account is gone';
  if (account.authority !== state.authority) return 'the lending account has another owner';
  if (account.rawFlags !== (state.account.state?.rawFlags ?? account.rawFlags))
    return 'the lending account has other flags';
  if (hasOtherChange(state, account)) return 'a balance in another bank changed';
  const promised = promisedMoves(state, sized);
  const { collateral, debt } = state;
  const slack = slackOf(collateral, after);
  const isKept =
    isAs(promised.collateral, moved.collateral, slack, balanceOf(account, collateral)?.assetShares) &&
    isAs(promised.debt, moved.debt, 1n, balanceOf(account, debt)?.liabilityShares) &&
    isAs(promised.surplus, moved.surplus, 1n, 0n);
  return isKept ? null : `the account's balances changed by ${wordsOf(moved)}, expected ${wordsOf(promised)}`;
}

/** Base units, signed; all is what leaves no share behind. */
type PromisedMoves = Readonly<Record<keyof MovedAmounts, bigint | 'all'>>;

function promisedMoves({ collateral, debt }: LeverageState, sized: SizedLeverage): PromisedMoves {
  const { bank, mint } = debt.live;
  if (sized.kind === 'loop') {
    const sent = integerToI80F48(amountBeforeFee(mint.transferFee, sized.borrow) ?? U64_MAX);
    // Whole units: the rest of the fee is within what is let pass.
    const owed = floorI80F48(sent + multiplyI80F48(sent, bank.originationFee));
    return { collateral: sized.supplied, debt: owed, surplus: 0n };
  }
  const { withdraw, repay, redeposit } = sized;
  const taken =
    withdraw === 'all' ? withdraw : -(amountBeforeFee(collateral.live.mint.transferFee, withdraw) ?? U64_MAX);
  return { collateral: taken, debt: repay === 'all' ? repay : -repay, surplus: redeposit };
}

function isAs(promised: bigint | 'all', moved: bigint, slack: bigint, sharesLeft: bigint | undefined): boolean {
  if (promised === 'all') return (sharesLeft ?? 0n) === 0n;
  return moved - promised <= slack && promised - moved <= slack;
}

/** A venue's receipts are whole: what is paid for one, or for the last of them, is within one and a unit of rounding each way. */
function slackOf({ live }: PairedBank, { accounts }: AfterSimulation): bigint {
  const units = unitsOf(live, accounts);
  return units === null ? 1n : units.worth(1n) + 2n;
}

/** Balances in other banks are as they were, to the last bit. */
function hasOtherChange({ account, collateral, debt }: LeverageState, after: P0Account): boolean {
  const acted: readonly Address[] = [collateral.live.bank.address, debt.live.bank.address];
  const others = (balances: readonly P0Balance[]) =>
    balances
      .filter(({ bank }) => !acted.includes(bank))
      .map(({ bank, assetShares, liabilityShares }) => `${bank} ${assetShares} ${liabilityShares}`)
      .sort()
      .join();
  return others(after.balances) !== others(account.state?.balances ?? []);
}

function balanceOf({ balances }: P0Account, { live }: PairedBank): P0Balance | undefined {
  return balances.find(({ bank }) => bank === live.bank.address);
}

function wordsOf({ collateral, debt, surplus }: PromisedMoves): string {
  return `${collateral} of the deposit, ${debt} of the debt, ${surplus} redeposited`;
}
