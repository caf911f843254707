import { isSince } from '@lending/programs';
import type { AuditedAccount } from './audited-account.ts';
import { checkOf } from './check-of.ts';
import { type Comparison, differs } from './comparison.ts';
import { compareHealth } from './health.ts';
import { compareClaims, comparePremiumRates } from './premium.ts';

/**
 * Compares what an account's bytes say of its health and its premiums with what follows from its balances, its banks and the prices
 * beside them. No oracle is read: the program leaves the prices that it used.
 */
export function auditAccount(audited: AuditedAccount): readonly Comparison[] {
  const check = checkOf(audited);
  const health = check === null ? [] : compareHealth(audited, check);
  if (!isSince(audited.version, '0.1.12')) return health;
  const initial = health.filter(({ field }) => field === 'healthCache.assetValue');
  // Rates are set by the same collateral: where that is not ours, they are not either, and the health says so.
  const isOfThisCheck = initial.length > 0 && !initial.some(differs);
  return [
    ...health,
    ...compareClaims(audited),
    ...(check !== null && isOfThisCheck ? comparePremiumRates(audited, check) : []),
  ];
}
