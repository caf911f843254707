import { isLendingError } from '@lending/errors';
import { MARGINFI_PROGRAM } from '@lending/programs';
import type { Program } from '#engine/program.ts';
import { createDispatch } from '#programs/anchor/dispatch.ts';
import type { ProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { accrueBankInterest } from './instructions/accrue-bank-interest.ts';
import { borrow } from './instructions/borrow.ts';
import { closeAccount } from './instructions/close-account.ts';
import { closeBalance } from './instructions/close-balance.ts';
import { deposit } from './instructions/deposit.ts';
import { endFlashLoan } from './instructions/end-flash-loan.ts';
import { endLiquidation } from './instructions/end-liquidation.ts';
import { handleBankruptcy } from './instructions/handle-bankruptcy.ts';
import { initializeKeypairAccount } from './instructions/initialize-account.ts';
import { initializeDerivedAccount } from './instructions/initialize-derived-account.ts';
import { initializeLiquidationRecord } from './instructions/initialize-liquidation-record.ts';
import { juplendDeposit } from './instructions/juplend-deposit.ts';
import { juplendInitPosition } from './instructions/juplend-init-position.ts';
import { juplendWithdraw } from './instructions/juplend-withdraw.ts';
import { kaminoDeposit } from './instructions/kamino-deposit.ts';
import { kaminoInitObligation } from './instructions/kamino-init-obligation.ts';
import { kaminoWithdraw } from './instructions/kamino-withdraw.ts';
import { liquidate } from './instructions/liquidate.ts';
import { propagateFeeState } from './instructions/propagate-fee-state.ts';
import { pulseBankPriceCache } from './instructions/pulse-bank-price-cache.ts';
import { pulseHealth } from './instructions/pulse-health.ts';
import { repay } from './instructions/repay.ts';
import { solendDeposit } from './instructions/solend-deposit.ts';
import { solendInitObligation } from './instructions/solend-init-obligation.ts';
import { solendWithdraw } from './instructions/solend-withdraw.ts';
import { startFlashLoan } from './instructions/start-flash-loan.ts';
import { startLiquidation } from './instructions/start-liquidation.ts';
import { transferAccount, transferToDerivedAccount } from './instructions/transfer-account.ts';
import { withdraw } from './instructions/withdraw.ts';
import { fail } from './marginfi-error.ts';
import { MARGINFI_UNITS } from './marginfi-units.ts';

/** What the model knows of the program; its other instructions end as ones that no program knows. */
const INSTRUCTIONS: readonly ProgramInstruction[] = [
  initializeKeypairAccount,
  initializeDerivedAccount,
  closeAccount,
  deposit,
  withdraw,
  borrow,
  repay,
  closeBalance,
  startFlashLoan,
  endFlashLoan,
  liquidate,
  accrueBankInterest,
  pulseHealth,
  pulseBankPriceCache,
  propagateFeeState,
  initializeLiquidationRecord,
  startLiquidation,
  endLiquidation,
  handleBankruptcy,
  transferAccount,
  transferToDerivedAccount,
  kaminoInitObligation,
  kaminoDeposit,
  kaminoWithdraw,
  solendInitObligation,
  solendDeposit,
  solendWithdraw,
  juplendInitPosition,
  juplendDeposit,
  juplendWithdraw,
];

/**
 * Project 0's lending program as of 0.1.9: its checks in its order, its arithmetic, events, logs and error numbers, and the bytes it
 * leaves.
 * @see marginfi-v2 programs/marginfi/src/lib.rs
 */
export const marginfiProgram: Program = {
  programId: MARGINFI_PROGRAM,
  handle: createDispatch(INSTRUCTIONS.map(endOverflowAsMathError), MARGINFI_UNITS),
  units: 500n,
};

/** Where our arithmetic leaves the numbers that fit, the program ends with its own error. */
function endOverflowAsMathError({ layout, run }: ProgramInstruction): ProgramInstruction {
  return {
    layout,
    run(context, args) {
      try {
        run(context, args);
      } catch (error) {
        if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) fail(context, 'MathError');
        throw error;
      }
    },
  };
}
