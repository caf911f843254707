import type { SolendReserve } from '@lending/programs';
import { floorWads, WAD } from '@lending/venues';

/** Base units of one token of a reserve. @throws DECODE__VALUE_OUT_OF_RANGE where they are more than 64 bits. */
export function wholeTokenBase({ liquidity }: SolendReserve): bigint {
  return floorWads(10n ** BigInt(liquidity.mintDecimals) * WAD);
}
