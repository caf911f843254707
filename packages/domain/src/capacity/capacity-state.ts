import type { BalanceShares, BankLedger, RateLimiter } from '../accounting/bank-ledger.ts';
import { NO_SHARES } from '../accounting/bank-ledger.ts';
import type { PremiumPair } from '../accounting/premium.ts';
import type { TransferFee } from '../accounting/transfer-fee.ts';
import type { I80F48 } from '../i80f48.ts';
import type { RiskBalance, RiskBank, RiskPrice } from '../risk/risk-balance.ts';
import type { RelaxedRules } from '../strict-rules.ts';
import type { BookUnits } from './book-units.ts';

/** An active balance with the tag it was opened with, which its bank's own may no longer be. */
export interface HeldBalance extends RiskBalance {
  readonly assetTag: number;
}

/**
 * Everything that decides whether an amount passes. The target bank's ledger is accrued to the moment, because the instruction does
 * that first; the program leaves the other banks as they are stored, so hand those in unaccrued for its very answer.
 */
export interface CapacityState {
  readonly account: {
    /** Active balances in the account's order, empty ones too. */
    readonly balances: readonly HeldBalance[];
    /** The account's flags, as stored. */
    readonly flags: bigint;
  };
  readonly bank: {
    readonly risk: RiskBank;
    readonly ledger: BankLedger;
    readonly price: RiskPrice;
    /** What the liquidity vault holds; for a bank of another venue, what that lets out. Base units of the mint. */
    readonly vaultBase: bigint;
    /** The mint's own fee on transfers; null without. Banks of other venues: null. */
    readonly transferFee: TransferFee | null;
    /** Null where the books count tokens themselves: on P0's own banks, staked ones among them. */
    readonly units: BookUnits | null;
  };
  readonly group: {
    readonly isPaused: boolean;
    readonly rateLimiter: RateLimiter;
    /** The program's share of an origination fee, a fraction of one. */
    readonly programFeeRate: I80F48;
    /** The table of premiums: where a debt bears one, a borrow asks for the price of all collateral that counts. */
    readonly premiumPairs: readonly PremiumPair[];
  };
  readonly unixTimestamp: bigint;
  /** Default: none. */
  readonly relaxed?: RelaxedRules;
}

/** What the account holds in the bank; null when it has no slot there. */
export function findHeld(state: CapacityState): HeldBalance | null {
  return state.account.balances.find(({ bank }) => bank.address === state.bank.risk.address) ?? null;
}

export function heldShares(state: CapacityState): BalanceShares {
  const held = findHeld(state);
  return held === null ? NO_SHARES : { assetShares: held.assetShares, liabilityShares: held.liabilityShares };
}

/**
 * The account's balances after one in the bank became `shares`; null closes it. A new one is put last: the program's order would only
 * matter for which of two broken oracles is named.
 */
export function balancesWith(
  state: CapacityState,
  ledger: BankLedger,
  shares: BalanceShares | null,
): readonly RiskBalance[] {
  const others = state.account.balances.filter(({ bank }) => bank.address !== state.bank.risk.address);
  if (shares === null) return others;
  const { risk } = state.bank;
  const after = balanceAfter(state, ledger, shares);
  if (others.length === state.account.balances.length) return [...others, after];
  return state.account.balances.map((balance) => (balance.bank.address === risk.address ? after : balance));
}

/** The account's balance in the bank once it is `shares`, and the bank what `ledger` says. */
export function balanceAfter(state: CapacityState, ledger: BankLedger, shares: BalanceShares): RiskBalance {
  const { risk, price } = state.bank;
  const premium = findHeld(state)?.premium ?? 0n;
  return { bank: { ...risk, shares: { ...risk.shares, ...valuesOf(ledger) } }, price, ...shares, premium };
}

function valuesOf(ledger: BankLedger) {
  const { assetShareValue, liabilityShareValue, totalAssetShares, totalLiabilityShares } = ledger;
  return { assetShareValue, liabilityShareValue, totalAssetShares, totalLiabilityShares };
}
