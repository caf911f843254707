import { isLendingError } from '@lending/errors';
import { decodeArguments, isInstructionOf, SOLEND_PROGRAM } from '@lending/programs';
import { isSolanaError } from '@solana/kit';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext, Program } from '#engine/program.ts';
import type { ProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { depositLiquidity } from './instructions/deposit-liquidity.ts';
import { depositLiquidityAndCollateral } from './instructions/deposit-liquidity-and-collateral.ts';
import { initObligation } from './instructions/init-obligation.ts';
import { redeemCollateral } from './instructions/redeem-collateral.ts';
import { refreshObligation } from './instructions/refresh-obligation.ts';
import { refreshReserve } from './instructions/refresh-reserve.ts';
import { withdrawCollateralAndRedeem } from './instructions/withdraw-collateral-and-redeem.ts';
import { fail } from './solend-error.ts';
import { SOLEND_UNITS } from './solend-units.ts';

/** What P0, the market's people and the builders send. Loans, liquidations and administration the model does not know. */
const INSTRUCTIONS: readonly ProgramInstruction[] = [
  refreshReserve,
  depositLiquidity,
  redeemCollateral,
  initObligation,
  refreshObligation,
  depositLiquidityAndCollateral,
  withdrawCollateralAndRedeem,
];

/** The number of the program's last instruction. */
const LAST_TAG = 24;

/**
 * Save's lending program: its checks in its order, its arithmetic and error numbers, its calls of the token program and the bytes it
 * leaves. Its logs and compute units are the model's own. It follows the program's code as it is deployed, which is newer than what is
 * published: a withdrawal without debts needs no refresh, and is valued at a hundred billion USD at most.
 * @see solana-program-library (Solend's), branch no_borrow_withdraw, token-lending/program/src/processor.rs
 */
export const solendProgram: Program = { programId: SOLEND_PROGRAM, handle, units: 500n };

function handle(context: InvokeContext): void {
  const instruction = INSTRUCTIONS.find(({ layout }) => isInstructionOf(layout, context.data));
  if (instruction === undefined) throw unknownInstruction(context);
  context.log(`Instruction: ${instruction.layout.name}`);
  context.consume(SOLEND_UNITS[instruction.layout.name] ?? 0n);
  const args = readArguments(context, instruction);
  try {
    instruction.run(context, args);
  } catch (error) {
    if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) fail(context, 'MathOverflow');
    throw error;
  }
}

function unknownInstruction(context: InvokeContext): InstructionError {
  const [tag] = context.data;
  if (tag === undefined || tag > LAST_TAG) fail(context, 'InstructionUnpackError');
  context.log('The model does not know this instruction');
  return new InstructionError('InvalidInstructionData');
}

/** Bytes behind the last argument do not matter. */
function readArguments(context: InvokeContext, { layout }: ProgramInstruction): never {
  try {
    return decodeArguments(layout, context.data);
  } catch (error) {
    if (isSolanaError(error)) fail(context, 'InstructionUnpackError');
    throw error;
  }
}
