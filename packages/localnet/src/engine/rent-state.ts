import type { LoadedAccount } from './loaded-account.ts';
import { INCINERATOR } from './runtime-addresses.ts';

/** How an account stands with rent. */
export interface RentState {
  readonly kind: 'exempt' | 'paying' | 'uninitialized';
  readonly lamports: bigint;
  readonly dataLength: number;
}

export function rentStateOf(
  account: Pick<LoadedAccount, 'data' | 'lamports'>,
  minimumBalance: (dataLength: number) => bigint,
): RentState {
  const { lamports, data } = account;
  const dataLength = data.length;
  if (lamports === 0n) return { kind: 'uninitialized', lamports, dataLength };
  return { kind: lamports >= minimumBalance(dataLength) ? 'exempt' : 'paying', lamports, dataLength };
}

/** No transaction may leave an account below the exempt balance, save one that was there before and gained nothing. */
export function isRentChangeAllowed(address: string, before: RentState, after: RentState): boolean {
  if (after.kind !== 'paying' || address === INCINERATOR) return true;
  return before.kind === 'paying' && after.dataLength === before.dataLength && after.lamports <= before.lamports;
}
