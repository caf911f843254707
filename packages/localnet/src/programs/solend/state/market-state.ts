import {
  getSolendLendingMarketDecoder,
  getSolendLendingMarketEncoder,
  type SolendLendingMarket,
} from '@lending/programs';
import { correctSolendMarket } from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { orPanic, unpack } from './account-bytes.ts';

const decoder = getSolendLendingMarketDecoder();
const encoder = getSolendLendingMarketEncoder();

/** A lending market, corrected as the program does it on reading. @throws InstructionError */
export function loadMarket(account: InstructionAccount): SolendLendingMarket {
  return correctSolendMarket(unpack(account, decoder, () => true));
}

export function storeMarket(account: InstructionAccount, market: SolendLendingMarket): void {
  const bytes = orPanic(() => encoder.encode(market));
  account.writableData().set(bytes);
}
