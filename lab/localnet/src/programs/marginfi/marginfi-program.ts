import { isLendingError } from '@lending/errors';
import { instruction, MARGINFI_PROGRAM, RELEASES } from '@lending/programs';
import type { Program } from '#engine/program.ts';
import { createDispatch } from '#programs/anchor/dispatch.ts';
import { frameworkError } from '#programs/anchor/framework-error.ts';
import { defineProgramInstruction, type ProgramInstruction } from '#programs/anchor/program-instruction.ts';
import {
  closeAccount,
  closeBalance,
  initializeDerivedAccount,
  initializeKeypairAccount,
  transferAccount,
  transferToDerivedAccount,
} from './instructions/accounts.ts';
import { endFlashLoan, startFlashLoan } from './instructions/flash-loan.ts';
import { handleBankruptcy } from './instructions/handle-bankruptcy.ts';
import { borrow, deposit, repay, withdraw } from './instructions/lending.ts';
import { liquidate } from './instructions/liquidate.ts';
import {
  accrueBankInterest,
  propagateFeeState,
  pulseBankPriceCache,
  resizeBank,
  resizeFeeState,
  resizeGroup,
} from './instructions/pools.ts';
import { pulseHealth } from './instructions/pulse-health.ts';
import { endLiquidation, initializeLiquidationRecord, startLiquidation } from './instructions/receivership.ts';
import { tagLiquidation } from './instructions/tag-liquidation.ts';
import { juplendDeposit, juplendWithdraw } from './integrations/juplend.ts';
import { kaminoDeposit, kaminoWithdraw } from './integrations/kamino.ts';
import { solendDeposit, solendWithdraw } from './integrations/solend.ts';
import { fail } from './marginfi-error.ts';
import { MARGINFI_UNITS } from './marginfi-units.ts';
import { endRebalance, settleRebalanceTip } from './rebalance/end-rebalance.ts';
import {
  closeRebalanceOrder,
  placeRebalanceOrder,
  topUpRebalanceFeePool,
  updateRebalanceOrder,
  withdrawRebalanceFeePool,
} from './rebalance/orders.ts';
import { startRebalance } from './rebalance/start-rebalance.ts';
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
  kaminoDeposit,
  kaminoWithdraw,
  solendDeposit,
  solendWithdraw,
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
        if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) fail('MathError');
        throw error;
      }
    },
  };
}
