import { isLendingError } from '@lending/errors';
import { MARGINFI_PROGRAM } from '@lending/programs';
import type { InvokeContext, Program } from '#engine/program.ts';
import { AnchorError } from './anchor/anchor-error.ts';
import { frameworkError } from './anchor/framework-error.ts';
import { readArguments } from './anchor/read-arguments.ts';
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
import { liquidate } from './instructions/liquidate.ts';
import { propagateFeeState } from './instructions/propagate-fee-state.ts';
import { pulseBankPriceCache } from './instructions/pulse-bank-price-cache.ts';
import { pulseHealth } from './instructions/pulse-health.ts';
import { repay } from './instructions/repay.ts';
import { startFlashLoan } from './instructions/start-flash-loan.ts';
import { startLiquidation } from './instructions/start-liquidation.ts';
import { transferAccount, transferToDerivedAccount } from './instructions/transfer-account.ts';
import { withdraw } from './instructions/withdraw.ts';
import { fail } from './marginfi-error.ts';
import type { ProgramInstruction } from './program-instruction.ts';

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
];

const DISCRIMINATOR_BYTES = 8;
/** What Anchor reserves for events that a program sends itself; ours logs them. */
const EVENT_TAG = 'e445a52e51cb9a1d';

const byDiscriminator = new Map(
  INSTRUCTIONS.map((instruction) => [hexOf(instruction.layout.discriminator), instruction]),
);

/**
 * Project 0's lending program as of 0.1.9: its checks in its order, its arithmetic, events, logs and error numbers, and the bytes it
 * leaves.
 * @see marginfi-v2 programs/marginfi/src/lib.rs
 */
export const marginfiProgram: Program = { programId: MARGINFI_PROGRAM, handle, units: 40_000n };

function handle(context: InvokeContext): void {
  try {
    dispatch(context);
  } catch (error) {
    if (error instanceof AnchorError) error.log(context);
    throw error;
  }
}

function dispatch(context: InvokeContext): void {
  const tag = hexOf(context.data.subarray(0, DISCRIMINATOR_BYTES));
  const instruction = byDiscriminator.get(tag);
  if (instruction === undefined) {
    throw frameworkError(tag === EVENT_TAG ? 'EventInstructionStub' : 'InstructionFallbackNotFound');
  }
  const { layout, run } = instruction;
  context.log(`Instruction: ${toTypeName(layout.name)}`);
  const args = readArguments(layout, context.data);
  try {
    run(context, args);
  } catch (error) {
    if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) fail(context, 'MathError');
    throw error;
  }
}

/** `lending_account_deposit` as `LendingAccountDeposit`. */
function toTypeName(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
