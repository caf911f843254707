import type { SolendLendingMarket } from '@lending/programs';
import { createProgramAddress } from '#engine/derived-address.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { check } from '../solend-error.ts';
import { loadMarket } from '../state/market-state.ts';

/** The market of an instruction and the token program its tokens belong to. @throws InstructionError */
export function takeMarket(
  context: InvokeContext,
  account: InstructionAccount,
  tokenProgram: InstructionAccount,
): SolendLendingMarket {
  const market = loadMarket(account);
  check(context, account.owner === context.programId, 'InvalidAccountOwner');
  check(context, market.tokenProgramId === tokenProgram.address, 'InvalidTokenProgram');
  return market;
}

/** What a market's derived authority signs with, once the account given for it is that authority. @throws InstructionError */
export function takeAuthority(
  context: InvokeContext,
  market: SolendLendingMarket,
  account: InstructionAccount,
  authority: InstructionAccount,
): readonly Uint8Array[] {
  const seeds = [account.key, Uint8Array.of(market.bumpSeed)];
  check(context, createProgramAddress(seeds, context.programId) === authority.address, 'InvalidMarketAuthority');
  return seeds;
}
