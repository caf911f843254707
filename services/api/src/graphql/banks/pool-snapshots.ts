import type { BankSnapshot } from '#reads/bank-snapshot.ts';
import type { ReserveSnapshot } from '#reads/reserve-snapshot.ts';
import type { GraphqlContext } from '../context.ts';

/** For `context.once`: all fields of one answer see the same banks. Costs no question while they are in memory. */
export function bankSnapshot({ reads }: GraphqlContext): Promise<BankSnapshot> {
  return reads.banks.get();
}

/** The same for reserves. */
export function reserveSnapshot({ reads }: GraphqlContext): Promise<ReserveSnapshot> {
  return reads.reserves.get();
}
