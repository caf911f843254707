import {
  ASSOCIATED_TOKEN_PROGRAM,
  DRIFT_PROGRAM,
  DRIFT_REFRESH_SPOT_MARKET_DISCRIMINATOR,
  driftWithdraw,
  endLiquidation,
  JUPITER_PROGRAM,
  JUPLEND_LENDING_PROGRAM,
  juplendEarnUpdateRate,
  juplendWithdraw,
  KLEND_PROGRAM,
  kaminoWithdraw,
  klendRefreshObligation,
  klendRefreshReserve,
  klendRefreshReservesBatch,
  lendingAccountRepay,
  lendingAccountWithdraw,
  marginfiAccountInitLiqRecord,
  startLiquidation,
  TITAN_PROGRAM,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import type { CalledInstruction, InvokeContext } from '#engine/program.ts';
import { COMPUTE_BUDGET_PROGRAM } from '#engine/runtime-addresses.ts';
import { check, err } from '../error-sites.ts';
import { fail, panic } from '../marginfi-error.ts';
import { assertNotCalled, requireOwnIndex } from './transaction-checks.ts';

const SOURCE = 'ix_utils.rs';

/** What a transaction with a receivership may call, besides this program. */
const ALLOWED_PROGRAMS: ReadonlySet<Address> = new Set<Address>([
  COMPUTE_BUDGET_PROGRAM,
  KLEND_PROGRAM,
  DRIFT_PROGRAM,
  JUPLEND_LENDING_PROGRAM,
  JUPITER_PROGRAM,
  TITAN_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
]);

/** What may come before the start: what makes venues' accounts fresh, and the record. */
const ALLOWED_BEFORE: ReadonlySet<string> = new Set(
  [
    [KLEND_PROGRAM, klendRefreshReserve.discriminator] as const,
    [KLEND_PROGRAM, klendRefreshReservesBatch.discriminator] as const,
    [KLEND_PROGRAM, klendRefreshObligation.discriminator] as const,
    [DRIFT_PROGRAM, DRIFT_REFRESH_SPOT_MARKET_DISCRIMINATOR] as const,
    [JUPLEND_LENDING_PROGRAM, juplendEarnUpdateRate.discriminator] as const,
  ].map(([programId, discriminator]) => `${programId}:${hexOf(discriminator)}`),
);

/** The program's own instructions that a receivership may use. */
const ALLOWED_OWN: ReadonlySet<string> = new Set(
  [
    startLiquidation,
    endLiquidation,
    marginfiAccountInitLiqRecord,
    lendingAccountWithdraw,
    lendingAccountRepay,
    kaminoWithdraw,
    driftWithdraw,
    juplendWithdraw,
  ].map(({ discriminator }) => hexOf(discriminator)),
);

const START = hexOf(startLiquidation.discriminator);
const END = hexOf(endLiquidation.discriminator);
const INIT_RECORD = hexOf(marginfiAccountInitLiqRecord.discriminator);
const DISCRIMINATOR_BYTES = 8;

/**
 * A receivership takes up its whole transaction: it starts first, ends last, and nothing but withdrawals, repayments and swaps lies
 * between.
 * @throws AnchorError ForbiddenIx, StartNotFirst, StartRepeats, EndNotLast or NotAllowedInCPI
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/liquidate_start.rs `validate_instructions`
 */
export function assertReceivershipOnly(context: InvokeContext): void {
  const { instructions } = context.transaction;
  for (const { programId } of instructions) {
    if (programId === context.programId || ALLOWED_PROGRAMS.has(programId)) continue;
    context.log(`Forbidden ix program: ${programId}`);
    fail(context, 'ForbiddenIx', err(SOURCE, 170));
  }
  assertStartsFirst(context, instructions);
  assertEndsLast(context, instructions);
  for (const instruction of instructions) {
    if (instruction.programId !== context.programId) continue;
    const tag = tagOf(instruction) ?? panic(context, 'malformed instruction');
    if (ALLOWED_OWN.has(tag)) continue;
    context.log(`Forbidden ix discrim: ${tag}`);
    fail(context, 'ForbiddenIx', err(SOURCE, 131));
  }
  assertNotCalled(context);
  if (requireOwnIndex(context) >= instructions.length - 1) {
    fail(context, 'StartNotFirst', check('instructions/marginfi_account/liquidate_start.rs', 200));
  }
}

function assertStartsFirst(context: InvokeContext, instructions: readonly CalledInstruction[]): void {
  let hasStarted = false;
  for (const instruction of instructions) {
    if (instruction.programId === COMPUTE_BUDGET_PROGRAM) continue;
    const tag = tagOf(instruction) ?? fail(context, 'StartNotFirst', err(SOURCE, 51));
    const isOwn = instruction.programId === context.programId;
    const isStart = isOwn && tag === START;
    if (hasStarted && isStart) {
      context.log('Setup IX appears more than once.');
      fail(context, 'StartRepeats', err(SOURCE, 77));
    }
    const mayPrecede = (isOwn && tag === INIT_RECORD) || ALLOWED_BEFORE.has(`${instruction.programId}:${tag}`);
    if (!hasStarted && !isStart && !mayPrecede) {
      context.log('Start IX was not the first ix (other than allowed).');
      fail(context, 'StartNotFirst', err(SOURCE, 71));
    }
    hasStarted ||= isStart;
  }
  if (hasStarted) return;
  context.log('Start IX was not found in the TX.');
  fail(context, 'StartNotFirst', err(SOURCE, 86));
}

function assertEndsLast(context: InvokeContext, instructions: readonly CalledInstruction[]): void {
  const last = instructions.at(-1);
  const tag = last === undefined ? null : tagOf(last);
  if (tag === null) fail(context, 'EndNotLast', err(SOURCE, 101));
  if (last?.programId !== context.programId) fail(context, 'EndNotLast', check(SOURCE, 105));
  if (tag !== END) fail(context, 'EndNotLast', check(SOURCE, 106));
}

/** What an instruction of Anchor's begins with; null for one that is too short. */
export function tagOf({ data }: CalledInstruction): string | null {
  return data.length < DISCRIMINATOR_BYTES ? null : hexOf(data.subarray(0, DISCRIMINATOR_BYTES));
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
