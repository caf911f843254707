import { amountBeforeFee, U64_MAX } from '@lending/domain';
import type { LiveBank } from '#live/action-state.ts';

/** Base units that have to leave the wallet so that so many are credited: a token's own fee on transfers comes on top. No more than a u64. */
export function sentFor({ bank, mint }: LiveBank, creditedBase: bigint): bigint {
  // Venues take no tokens with a fee.
  if (bank.venue !== 'p0') return creditedBase;
  return amountBeforeFee(mint.transferFee, creditedBase) ?? U64_MAX;
}
