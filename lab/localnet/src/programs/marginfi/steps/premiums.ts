import {
  accruePremium,
  addI80F48,
  computeRequirement,
  hasLiability,
  type I80F48,
  isClearlyPositive,
  liabilityAmountOf,
  owesPremium,
  pairRateOf,
  premiumRatesAfter,
  type Requirement,
  splitRepayment,
  weighCollateral,
} from '@lending/domain';
import type { InvokeContext } from '#engine/program.ts';
import { fail } from '../marginfi-error.ts';
import type { HealthAccounts } from '../risk/health-accounts.ts';
import {
  type AccountState,
  activeBalancesOf,
  type BalanceState,
  debtPremiumOf,
  hasFlag,
} from '../state/account-state.ts';
import { type BankState, chargesPremium } from '../state/bank-state.ts';
import { type GroupState, premiumPairsOf } from '../state/group-state.ts';
import { runsSince } from '../version.ts';

/**
 * Writes down what a debt owes in premium until now, at the debt and the rate of before: whatever changes either comes after. What is no
 * debt, or owed to a bank that charges none, is forgiven.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `BankAccountWrapper::claim_premium`
 */
export function claimPremium(context: InvokeContext, bank: BankState, balance: BalanceState): void {
  if (!runsSince(context, '0.1.12')) return;
  if (!chargesPremium(bank) || !isClearlyPositive(balance.liabilityShares)) {
    forgivePremium(balance);
    return;
  }
  const { unixTimestamp } = context.slot;
  const debt = liabilityAmountOf(bank, balance.liabilityShares);
  balance.premiumOutstanding = accruePremium(debtPremiumOf(balance), debt, bank.premiumActivatedAt, unixTimestamp);
  balance.lastUpdate = unixTimestamp;
}

/** Pays a claimed premium out of tokens that arrive in the vault. @returns what of them it took, raw I80F48 base units. */
export function settlePremium(bank: BankState, balance: BalanceState, amount: I80F48): I80F48 {
  const { premium } = splitRepayment(balance.premiumOutstanding, amount);
  balance.premiumOutstanding -= premium;
  bank.collectedPremiumOutstanding = addI80F48(bank.collectedPremiumOutstanding, premium);
  return premium;
}

/** Clears the premium that a balance owes, and its rate. @returns what was cleared, raw I80F48 base units. */
export function forgivePremium(balance: BalanceState): I80F48 {
  const forgiven = balance.premiumOutstanding;
  balance.premiumOutstanding = 0n;
  balance.premiumRateSnapshot = 0;
  return forgiven;
}

/**
 * New debt must have a rate: it is refused while collateral that the rate is made from has no price.
 * @param judged the accounts of the initial check before; null in a flash loan, whose end asks instead.
 * @throws AnchorError PremiumSnapshotUnavailable
 */
export function requirePremiumRates(context: InvokeContext, group: GroupState, judged: HealthAccounts | null): void {
  if (judged !== null && isPremiumUnpriced(context, group, judged)) fail('PremiumSnapshotUnavailable');
}

/** Whether the initial check lacked a price that the rates of the account's debts are made from. */
export function isPremiumUnpriced(context: InvokeContext, group: GroupState, { positions }: HealthAccounts): boolean {
  const balances = positions.map(({ balance }) => balance);
  return (
    runsSince(context, '0.1.12') &&
    owesPremium(balances) &&
    weighCollateral(balances, 'initial', premiumPairsOf(group)).unpriced.length > 0
  );
}

/**
 * Sets the rates of all debts by the collateral that a health check has just priced. Where a price is missing nothing changes; with `rises`
 * (the signer acts for the account and chooses its price accounts) rates only go up, to the highest pair of the collateral without a price.
 * @param judged the accounts of that check; null in a flash loan, which leaves the rates as they are.
 * @see marginfi-v2 programs/marginfi/src/state/premium.rs `update_premium_snapshots`; how far a rate rises is in no source, and decided the
 *   way that the callers' comments say
 */
export function refreshPremiums(
  context: InvokeContext,
  { account, group }: { readonly account: AccountState; readonly group: GroupState },
  judged: HealthAccounts | null,
  { requirement, rises }: { readonly requirement: Requirement; readonly rises: boolean },
): void {
  if (judged === null || judged.failure !== null || hasFlag(account, 'inFlashLoan')) return;
  if (!runsSince(context, '0.1.12')) return;
  const balances = judged.positions.map(({ balance }) => balance);
  if (computeRequirement(balances, requirement).kind === 'refused') return;
  const pairs = premiumPairsOf(group);
  const { unpriced } = weighCollateral(balances, requirement, pairs);
  const rates = premiumRatesAfter(balances, requirement, pairs);
  const isComplete = unpriced.length === 0;
  const { unixTimestamp } = context.slot;
  for (const [index, stored] of activeBalancesOf(account).entries()) {
    const balance = balances[index];
    if (balance === undefined || !hasLiability(balance)) continue;
    const { tag, isActive } = balance.bank.premium;
    if (!isActive) {
      if (!isComplete) continue;
      forgivePremium(stored);
      stored.lastUpdate = unixTimestamp;
      continue;
    }
    if (!isComplete && !rises) continue;
    const unpricedRates = unpriced.map((place) => pairRateOf(pairs, balances[place]?.bank.premium.tag ?? 0, tag));
    stored.premiumOutstanding = balance.premium;
    stored.lastUpdate = unixTimestamp;
    stored.premiumRateSnapshot = rates[index] ?? Math.max(stored.premiumRateSnapshot, ...unpricedRates);
  }
}

/**
 * What a liquidator owes where one of his prices is missing: the highest rate that the table has for the debt.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/liquidate.rs
 */
export function chargeHighestRate(
  context: InvokeContext,
  group: GroupState,
  bank: BankState,
  balance: BalanceState,
): void {
  const rates = premiumPairsOf(group).flatMap(({ liabilityTag, rate }) =>
    liabilityTag === bank.premiumTag ? [rate] : [],
  );
  const highest = Math.max(0, ...rates);
  if (!chargesPremium(bank) || !hasLiability(balance) || balance.premiumRateSnapshot >= highest) return;
  claimPremium(context, bank, balance);
  balance.premiumRateSnapshot = highest;
}
