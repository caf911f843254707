import { isDeepStrictEqual } from 'node:util';
import type { InterestFees } from '@lending/domain';
import type { P0Bank } from '@lending/venues';
import type { AuditedGroup } from './comparison.ts';

export function feesOf({ fees }: P0Bank, { programFee }: Pick<AuditedGroup, 'programFee'>): InterestFees {
  return { ...fees, program: programFee };
}

/**
 * Whether the rates of both states come from the same settings. An administrator changes them without bringing interest or rates up to
 * date, so that of a pair with other settings nobody can say which of them an instruction in between used.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_group/configure_bank_lite.rs
 */
export function haveSameRateTerms(before: P0Bank, after: P0Bank): boolean {
  return isDeepStrictEqual([before.curve, before.fees], [after.curve, after.fees]);
}
