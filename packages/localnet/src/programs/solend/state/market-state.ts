import { type SolendLendingMarket, solendLendingMarketLayout } from '@lending/programs';
import { correctSolendMarket } from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { orPanic, unpack } from './account-bytes.ts';

/** A lending market, corrected as the program does it on reading. @throws InstructionError */
export function loadMarket(account: InstructionAccount): SolendLendingMarket {
  return correctSolendMarket(unpack(account, solendLendingMarketLayout, () => true));
}

export function storeMarket(account: InstructionAccount, market: SolendLendingMarket): void {
  const bytes = orPanic(() => solendLendingMarketLayout.encode(market));
  account.writableData().set(bytes);
}
