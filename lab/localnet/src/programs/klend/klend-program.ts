import { isLendingError } from '@lending/errors';
import { KLEND_PROGRAM } from '@lending/programs';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext, Program } from '#engine/program.ts';
import { createDispatch } from '#programs/anchor/dispatch.ts';
import { depositLiquidityInstruction } from './instructions/deposit-liquidity.ts';
import { depositToObligation } from './instructions/deposit-to-obligation.ts';
import { initObligation, initUserMetadata } from './instructions/init-user.ts';
import { redeemCollateralInstruction } from './instructions/redeem-collateral.ts';
import { refreshObligationInstruction } from './instructions/refresh-obligation.ts';
import { refreshReserveInstruction, refreshReservesBatch } from './instructions/refresh-reserves.ts';
import { withdrawFromObligation } from './instructions/withdraw-from-obligation.ts';
import { KLEND_UNITS } from './klend-units.ts';

const dispatch = createDispatch(
  [
    refreshReserveInstruction,
    refreshReservesBatch,
    refreshObligationInstruction,
    initUserMetadata,
    initObligation,
    depositToObligation,
    withdrawFromObligation,
    depositLiquidityInstruction,
    redeemCollateralInstruction,
  ],
  KLEND_UNITS,
);

/**
 * Kamino's lending program as far as depositors go: refreshes, obligations that hold deposits, deposits and withdrawals, its error
 * numbers, and the bytes it leaves. Nothing is borrowed here, deposits and withdrawals have their second form alone, farms do not hear of
 * them, and neither Scope's prices nor averages of Switchboard's are read.
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
