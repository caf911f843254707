import { isLendingError } from '@lending/errors';
import { instruction, MARGINFI_PROGRAM, RELEASES } from '@lending/programs';
import type { Program } from '#engine/program.ts';
import { createDispatch } from '#programs/anchor/dispatch.ts';
import { frameworkError } from '#programs/anchor/framework-error.ts';
import { defineProgramInstruction, type ProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { accrueBankInterest } from './instructions/accrue-bank-interest.ts';
import { borrow } from './instructions/borrow.ts';
import { closeAccount } from './instructions/close-account.ts';
import { closeBalance } from './instructions/close-balance.ts';
import { deposit } from './instructions/deposit.ts';
import { endFlashLoan } from './instructions/end-flash-loan.ts';
import { endLiquidation } from './instructions/end-liquidation.ts';
import { endRebalance } from './instructions/end-rebalance.ts';
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
import { topUpRebalanceFeePool, withdrawRebalanceFeePool } from './instructions/rebalance-fee-pool.ts';
import { closeRebalanceOrder, placeRebalanceOrder, updateRebalanceOrder } from './instructions/rebalance-orders.ts';
import { repay } from './instructions/repay.ts';
import { resizeBank, resizeFeeState, resizeGroup } from './instructions/resize-account.ts';
import { settleRebalanceTip } from './instructions/settle-rebalance-tip.ts';
import { solendDeposit } from './instructions/solend-deposit.ts';
import { solendInitObligation } from './instructions/solend-init-obligation.ts';
import { solendWithdraw } from './instructions/solend-withdraw.ts';
import { startFlashLoan } from './instructions/start-flash-loan.ts';
import { startLiquidation } from './instructions/start-liquidation.ts';
import { startRebalance } from './instructions/start-rebalance.ts';
import { tagLiquidation } from './instructions/tag-liquidation.ts';
import { transferAccount, transferToDerivedAccount } from './instructions/transfer-account.ts';
import { withdraw } from './instructions/withdraw.ts';
import { fail } from './marginfi-error.ts';
import { MARGINFI_UNITS } from './marginfi-units.ts';
import { runsSince } from './version.ts';

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
  tagLiquidation,
  kaminoInitObligation,
  kaminoDeposit,
  kaminoWithdraw,
  solendInitObligation,
  solendDeposit,
  solendWithdraw,
  juplendInitPosition,
  juplendDeposit,
  juplendWithdraw,
  resizeFeeState,
  resizeGroup,
  resizeBank,
  placeRebalanceOrder,
  updateRebalanceOrder,
  closeRebalanceOrder,
  topUpRebalanceFeePool,
  withdrawRebalanceFeePool,
  startRebalance,
  endRebalance,
  settleRebalanceTip,
];

/** What tells a version from those before it: known to the program, and no more than that to the model, which has no accounts for it. */
const FIRST_INSTRUCTIONS = RELEASES.flatMap(({ version, firstInstruction }) =>
  firstInstruction === null || INSTRUCTIONS.some(({ layout }) => layout.name === firstInstruction)
    ? []
    : [
        defineProgramInstruction({
          layout: instruction(firstInstruction, '', {}),
          since: version,
          run: () => {
            throw frameworkError('AccountNotEnoughKeys');
          },
        }),
      ],
);

/**
 * Project 0's lending program, 0.1.10 to 0.1.12 by what is deployed: its checks in its order, its arithmetic, events, logs and error
 * numbers, and the bytes it leaves.
 * @see marginfi-v2 programs/marginfi/src/lib.rs
 */
export const marginfiProgram: Program = {
  programId: MARGINFI_PROGRAM,
  handle: createDispatch(
    [...INSTRUCTIONS.map(endOverflowAsMathError), ...FIRST_INSTRUCTIONS],
    MARGINFI_UNITS,
    (context, { since }) => since === undefined || runsSince(context, since),
  ),
  units: 500n,
};

/** Where our arithmetic leaves the numbers that fit, the program ends with its own error. */
function endOverflowAsMathError({ run, ...instruction }: ProgramInstruction): ProgramInstruction {
  return {
    ...instruction,
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
