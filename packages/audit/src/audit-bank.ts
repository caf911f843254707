import type { P0Bank } from '@lending/venues';
import type { AuditedGroup, Comparison } from './comparison.ts';
import { compareInterest } from './interest.ts';
import { compareRates } from './rates.ts';

/**
 * Compares what a bank's bytes say of its rates and its interest with what follows from its settings and totals.
 * @param before the bank as it was seen last. Null where it was not: then its rates alone are compared, and a difference may also be a
 * setting or a fee that changed after the last instruction, which a single state cannot tell. That is for a first look, not for the book.
 * @param group as of the slot of `after`. A pair between whose states the group's fees changed is not to be compared: bytes do not say
 * which of both came first.
 */
export function auditBank(
  before: P0Bank | null,
  after: P0Bank,
  group: Pick<AuditedGroup, 'programFee'>,
): readonly Comparison[] {
  return [...compareRates(before, after, group), ...(before === null ? [] : compareInterest(before, after, group))];
}
