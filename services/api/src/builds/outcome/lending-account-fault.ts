import { amountBeforeFee, floorI80F48, integerToI80F48, multiplyI80F48, U64_MAX } from '@lending/domain';
import { type LeverageState, type PairedBank, type SizedLeverage, unitsOf } from '@lending/transactions';
import type { P0Account, P0Balance } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { AfterSimulation } from './account-after.ts';
import type { MovedAmounts } from './moved-amounts.ts';

/** What became of the lending account besides its balances in the banks that were acted on, in a few words; null where nothing. */
export function findOtherChange(
  { account: before, authority }: LeverageState,
  { account }: AfterSimulation,
  acted: ReadonlySet<Address>,
): string | null {
  if (account === null) return 'the lending account is gone';
  if (account.authority !== authority) return 'the lending account has another owner';
  if (account.rawFlags !== (before.state?.rawFlags ?? account.rawFlags)) return 'the lending account has other flags';
  const others = (balances: readonly P0Balance[]) =>
    balances
      .filter(({ bank }) => !acted.has(bank))
      .map(({ bank, assetShares, liabilityShares }) => `${bank} ${assetShares} ${liabilityShares}`)
      .sort()
      .join();
  return others(account.balances) === others(before.state?.balances ?? []) ? null : 'a balance in another bank changed';
}

/**
 * What a loop or a close did to its two balances other than what was sized, in a few words; null where nothing.
 * @param roundings how many withdrawals or deposits the change of the collateral has in it.
 */
export function findLendingAccountFault(
  state: LeverageState,
  sized: SizedLeverage,
  after: AfterSimulation,
  { moved, roundings }: { readonly moved: MovedAmounts; readonly roundings: bigint },
): string | null {
  const { account } = after;
  if (account === null) return 'the lending account is gone';
  const promised = promisedMoves(state, sized);
  const { collateral, debt } = state;
  const slack = slackOf(collateral, after) * roundings;
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
  const taken = withdraw === 'all' ? withdraw : -withdrawnBy({ collateral }, sized);
  return { collateral: taken, debt: repay === 'all' ? repay : -repay, surplus: redeposit };
}

/** What a close takes out of the deposit bank, a token's own fee included, base units; 0 where it is all of it, and of a loop. */
export function withdrawnBy({ collateral }: Pick<LeverageState, 'collateral'>, sized: SizedLeverage): bigint {
  if (sized.kind === 'loop' || sized.withdraw === 'all') return 0n;
  return amountBeforeFee(collateral.live.mint.transferFee, sized.withdraw) ?? U64_MAX;
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

function balanceOf({ balances }: P0Account, { live }: PairedBank): P0Balance | undefined {
  return balances.find(({ bank }) => bank === live.bank.address);
}

function wordsOf({ collateral, debt, surplus }: PromisedMoves): string {
  return `${collateral} of the deposit, ${debt} of the debt, ${surplus} redeposited`;
}
