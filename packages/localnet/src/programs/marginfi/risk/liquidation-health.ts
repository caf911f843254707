import { hasLiability, type I80F48, sideOf } from '@lending/domain';
import type { InvokeContext } from '#engine/program.ts';
import { check, err } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import { type AccountState, hasFlag } from '../state/account-state.ts';
import { findBalance } from '../state/balance-state.ts';
import { computeHealthTotals } from './health.ts';
import type { HealthAccounts } from './health-accounts.ts';
import { toFloat } from './to-float.ts';

const SOURCE = 'state/marginfi_account.rs';

/** The debt that is to be paid must be one, before and after; errors by when it is looked at. */
const ERRORS = {
  before: { noDebt: 'NoLiabilitiesInLiabilityBank', deposit: 'AssetsInLiabilityBank', flashLoanLine: 911 },
  after: { noDebt: 'ExhaustedLiability', deposit: 'TooSeverePayoff', flashLoanLine: 1151 },
} as const;

/** @throws AnchorError when the account has no debt in the bank, or a deposit there. */
export function requireDebt(
  context: InvokeContext,
  account: AccountState,
  bank: Uint8Array,
  stage: keyof typeof ERRORS,
): void {
  const { noDebt, deposit, flashLoanLine } = ERRORS[stage];
  if (hasFlag(account, 'inFlashLoan')) fail(context, 'AccountInFlashloan', check(SOURCE, flashLoanLine));
  const balance = findBalance(account, bank);
  if (balance === undefined) fail(context, 'LendingAccountBalanceNotFound');
  if (!hasLiability(balance)) fail(context, noDebt);
  if (sideOf({ assetShares: balance.assetShares, liabilityShares: 0n }) === 'asset') fail(context, deposit);
}

/**
 * A liquidation must leave the account better off, and no better than it has to be.
 * @returns the account's maintenance health.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `check_post_liquidation_condition_and_get_account_health`
 */
export function assertLiquidatedEnough(
  context: InvokeContext,
  account: AccountState,
  accounts: HealthAccounts,
  healthBefore: I80F48,
): I80F48 {
  const { assets, liabilities } = computeHealthTotals(context, account, accounts, 'maintenance');
  const health = assets - liabilities;
  if (health > 0n) fail(context, 'TooSevereLiquidation');
  if (health <= healthBefore) {
    context.log(
      `post_liquidation_health: ${toFloat(health)} (${toFloat(assets)} - ${toFloat(liabilities)}), pre_liquidation_health: ${toFloat(healthBefore)}`,
    );
    fail(context, 'WorseHealthPostLiquidation', err(SOURCE, 1196));
  }
  return health;
}
