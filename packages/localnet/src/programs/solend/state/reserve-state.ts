import { type SolendReserve, solendReserveLayout } from '@lending/programs';
import { correctSolendReserve } from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import { isBool, orPanic, unpack } from './account-bytes.ts';

/** Regular and isolated. */
const RESERVE_TYPES = 2;

/** A reserve, its fields corrected as the program corrects them on reading. @throws InstructionError */
export function loadReserve(account: InstructionAccount): SolendReserve {
  const reserve = unpack(
    account,
    solendReserveLayout,
    ({ lastUpdate, liquidityExtraMarketPriceFlag }) =>
      isBool(lastUpdate.stale) && isBool(liquidityExtraMarketPriceFlag),
  );
  if (reserve.reserveType >= RESERVE_TYPES) throw new InstructionError('ProgramFailedToComplete');
  return correctSolendReserve(reserve);
}

/** Writes all fields, corrected ones too; a price that there is none of is written as zero. */
export function storeReserve(account: InstructionAccount, reserve: SolendReserve): void {
  const liquidityExtraMarketPrice =
    reserve.liquidityExtraMarketPriceFlag === 0 ? 0n : reserve.liquidityExtraMarketPrice;
  const bytes = orPanic(() => solendReserveLayout.encode({ ...reserve, liquidityExtraMarketPrice }));
  account.writableData().set(bytes);
}

/** Stores a reserve as one that has to be refreshed before it is used again. */
export function storeStaleReserve(account: InstructionAccount, reserve: SolendReserve): void {
  storeReserve(account, { ...reserve, lastUpdate: { ...reserve.lastUpdate, stale: 1 } });
}
