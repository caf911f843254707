import { type I80F48, largerOf, multiplyI80F48, parseI80F48 } from '@lending/domain';
import type { InvokeContext } from '#engine/program.ts';
import { computeHealthTotals } from '../risk/health.ts';
import type { HealthAccounts } from '../risk/health-accounts.ts';
import type { AccountState } from '../state/account-state.ts';
import { runsSince } from '../version.ts';

/** Part of what an account lacks, or owes: a liquidation that removes as much sets its tag to now. */
const LARGE_PART = parseI80F48('0.25');

/**
 * Takes the tag from an account that has just passed the initial check, and is healthy at maintenance, too: that fails on any missing price.
 * @param judged the accounts of the check; null in a flash loan, which leaves the tag.
 * @throws AnchorError with what stops the risk engine.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `check_account_init_health_and_clear_tag`
 */
export function clearTagOfHealthy(context: InvokeContext, account: AccountState, judged: HealthAccounts | null): void {
  if (judged === null || account.liquidationTaggedAt === 0n || !runsSince(context, '0.1.12')) return;
  const { assets, liabilities } = computeHealthTotals(context, account, judged, 'maintenance');
  if (assets > liabilities) dropTag(context, account);
}

/**
 * What a pulse does to an account that it finds healthy, and a repayment to one that it leaves without debts.
 * @see marginfi-v2 programs/marginfi/tests, the tests of the tag: the instructions' own text is not stored
 */
export function dropTag(context: InvokeContext, account: AccountState): void {
  if (runsSince(context, '0.1.12')) account.liquidationTaggedAt = 0n;
}

/** Weighted USD, raw I80F48. */
interface Liquidated {
  readonly healthBefore: I80F48;
  readonly healthAfter: I80F48;
  readonly liabilitiesBefore: I80F48;
  readonly repaid: I80F48;
}

/**
 * What a liquidation leaves of the tag: none on an account that is healthy now; a new one after a large part of what it lacked, or owed.
 * @see marginfi-v2 programs/marginfi/src/state/liquidation_record.rs `tag_after_liquidation`
 */
export function updateTag(
  context: InvokeContext,
  account: AccountState,
  { healthBefore, healthAfter, liabilitiesBefore, repaid }: Liquidated,
): void {
  if (account.liquidationTaggedAt === 0n || !runsSince(context, '0.1.12')) return;
  const [before, after] = [largerOf(-healthBefore, 0n), largerOf(-healthAfter, 0n)];
  const isLess = before - after >= multiplyI80F48(before, LARGE_PART);
  const isRepaid = liabilitiesBefore > 0n && repaid >= multiplyI80F48(liabilitiesBefore, LARGE_PART);
  if (after === 0n) account.liquidationTaggedAt = 0n;
  else if (isLess || isRepaid) account.liquidationTaggedAt = context.slot.unixTimestamp;
}
