import { isLendingError } from '@lending/errors';
import { KLEND_PROGRAM } from '@lending/programs';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext, Program } from '#engine/program.ts';
import { createDispatch } from '#programs/anchor/dispatch.ts';
import { depositLiquidityInstruction } from './instructions/deposit-liquidity.ts';
import { depositToObligation, depositToObligationV2 } from './instructions/deposit-to-obligation.ts';
import { initObligation } from './instructions/init-obligation.ts';
import { initUserMetadata } from './instructions/init-user-metadata.ts';
import { redeemCollateralInstruction } from './instructions/redeem-collateral.ts';
import { refreshObligationInstruction } from './instructions/refresh-obligation.ts';
import { refreshReserveInstruction } from './instructions/refresh-reserve.ts';
import { refreshReservesBatch } from './instructions/refresh-reserves-batch.ts';
import { withdrawFromObligation, withdrawFromObligationV2 } from './instructions/withdraw-from-obligation.ts';
import { KLEND_UNITS } from './klend-units.ts';

const dispatch = createDispatch(
  [
    refreshReserveInstruction,
    refreshReservesBatch,
    refreshObligationInstruction,
    initUserMetadata,
    initObligation,
    depositToObligation,
    depositToObligationV2,
    withdrawFromObligation,
    withdrawFromObligationV2,
    depositLiquidityInstruction,
    redeemCollateralInstruction,
  ],
  KLEND_UNITS,
);

/**
 * Kamino's lending program as far as depositors go: refreshes, obligations that hold deposits, deposits and withdrawals, its error
 * numbers, and the bytes it leaves. Nobody borrows here, farms are not told, and Scope's prices are not read.
 * @see klend programs/klend/src/lib.rs, 1.16; its newer fields as their SDK reads them
 */
export const klendProgram: Program = {
  programId: KLEND_PROGRAM,
  handle: runOrStop,
  units: 500n,
};

/** Where our arithmetic leaves the numbers that fit, the program stops. */
function runOrStop(context: InvokeContext): void {
  try {
    dispatch(context);
  } catch (error) {
    if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) throw new InstructionError('ProgramFailedToComplete');
    throw error;
  }
}
