import {
  addI80F48,
  divideI80F48,
  hasLiability,
  type I80F48,
  integerToI80F48,
  multiplyI80F48,
  sideOf,
} from '@lending/domain';
import { type RebalanceRecord, readAddress } from '@lending/programs';
import { fail } from '../marginfi-error.ts';
import { type AccountState, activeBalancesOf, type BalanceState } from '../state/account-state.ts';

/** Base units of the mint by which each move may be off, times the tokens that one receipt is worth. */
const DUST_BASE = integerToI80F48(3n);
const MAX_UNTOUCHED = 15;

/** From one of the record's banks to another; whole tokens. */
export type RebalanceMove = RebalanceRecord['moves'][number];
type Untouched = RebalanceRecord['balanceStates'][number];

export function movesOf({ moves, moveCount }: RebalanceRecord): readonly RebalanceMove[] {
  return moves.slice(0, moveCount);
}

export function refBanksOf({ refBanks, refBankCount }: RebalanceRecord): RebalanceRecord['refBanks'] {
  return refBanks.slice(0, refBankCount);
}

/** The balances in other banks than the order's; those that hold less than a share on both sides are not looked at. */
export function untouchedBalancesOf(
  account: AccountState,
  isReferenced: (bank: string) => boolean,
): readonly Untouched[] {
  const others = activeBalancesOf(account).flatMap((balance): Untouched[] => {
    const [bank, side] = [readAddress(balance.bankPk), sideOf(balance)];
    if (side === null || isReferenced(bank)) return [];
    const isAsset = side === 'asset';
    const shares = isAsset ? balance.assetShares : balance.liabilityShares;
    return [{ bank, isAsset: isAsset ? 1 : 0, _pad0: new Uint8Array(5), tag: balance.tag, shares }];
  });
  return others.length > MAX_UNTOUCHED ? fail('IllegalBalanceState') : others;
}

/**
 * Holds what moved against what was announced, bank by bank, in whole tokens.
 * @param after what the account has in each of the record's banks.
 * @param multiplier the largest of theirs, at least 1.
 * @returns what arrived, what the account had in all of the banks before, and what it all may be off by.
 * @throws AnchorError RebalanceValueLeak
 * @see marginfi-v2 programs/marginfi/src/state/rebalance.rs `reconcile`
 */
export function reconcile(
  record: RebalanceRecord,
  after: readonly I80F48[],
  { multiplier, mintDecimals }: { readonly multiplier: I80F48; readonly mintDecimals: number },
): { readonly moved: I80F48; readonly before: I80F48; readonly dust: I80F48 } {
  const perToken = multiplyI80F48(multiplyI80F48(DUST_BASE, integerToI80F48(BigInt(record.moveCount))), multiplier);
  const dust = divideI80F48(perToken, integerToI80F48(10n ** BigInt(mintDecimals)));
  let [moved, before, gained] = [0n, 0n, 0n];
  for (const [index, { preUnderlying }] of refBanksOf(record).entries()) {
    const announced = movesOf(record).reduce((sum, { srcIndex, dstIndex, amount }) => {
      const arriving = dstIndex === index ? addI80F48(sum, amount) : sum;
      return srcIndex === index ? addI80F48(arriving, -amount) : arriving;
    }, 0n);
    const actual = addI80F48(after[index] ?? 0n, -preUnderlying);
    const isOff = announced - actual;
    if (isOff > dust || -isOff > dust) fail('RebalanceValueLeak');
    gained = addI80F48(gained, actual);
    before = addI80F48(before, preUnderlying);
    if (actual > 0n) moved = addI80F48(moved, actual);
  }
  if (gained < -dust) fail('RebalanceValueLeak');
  return { moved, before, dust };
}

/**
 * @throws AnchorError RebalanceUntrackedBalance when there are more of the other balances than at the start, or fewer;
 * IllegalBalanceState when one of them is not what it was.
 * @see marginfi-v2 programs/marginfi/src/state/rebalance.rs `verify_others_unchanged`
 */
export function assertOthersUnchanged(account: AccountState, record: RebalanceRecord): void {
  const referenced = new Set<string>(refBanksOf(record).map(({ bank }) => bank));
  const now = untouchedBalancesOf(account, (bank) => referenced.has(bank));
  if (now.length !== record.activeBalanceCount) fail('RebalanceUntrackedBalance');
  for (const { bank, isAsset, tag, shares } of record.balanceStates.slice(0, record.activeBalanceCount)) {
    const same = now.find((one) => one.bank === bank) ?? fail('BankAccountNotFound');
    const isUnchanged = same.isAsset === isAsset && same.tag === tag && same.shares === shares;
    if (!isUnchanged) fail('IllegalBalanceState');
  }
}

/**
 * Gives the tag of a balance that moved to the balance it moved into, and asserts that all other tags in the order's banks are unchanged.
 * @throws AnchorError RebalanceTaggedBalanceSplit or IllegalBalanceState
 * @see marginfi-v2 programs/marginfi/src/state/rebalance.rs `carry_tags`
 */
export function carryTags(account: AccountState, record: RebalanceRecord): void {
  const balanceIn = (bank: string | undefined): BalanceState | undefined =>
    activeBalancesOf(account).find(({ bankPk }) => readAddress(bankPk) === bank);
  for (const [index, { bank, tag }] of refBanksOf(record).entries()) {
    if (tag === 0) continue;
    const move = movesOf(record).find(({ srcIndex }) => srcIndex === index);
    if (move === undefined) {
      if (balanceIn(bank)?.tag !== tag) fail('IllegalBalanceState');
      continue;
    }
    if (balanceIn(bank) !== undefined) fail('RebalanceTaggedBalanceSplit');
    const arrived = balanceIn(record.refBanks[move.dstIndex]?.bank);
    if (arrived?.tag !== 0) fail('IllegalBalanceState');
    arrived.tag = tag;
  }
}

/** @throws AnchorError RebalanceNoAllowlistPosition, RebalanceAllowlistLiability */
export function assertPositionsFit(account: AccountState, banks: readonly string[]): void {
  const held = activeBalancesOf(account).filter(({ bankPk }) => banks.includes(readAddress(bankPk)));
  if (!held.some((balance) => sideOf(balance) === 'asset')) fail('RebalanceNoAllowlistPosition');
  if (held.some(hasLiability)) fail('RebalanceAllowlistLiability');
}
