import {
  type InstructionLayout,
  isInstructionOf,
  klendRefreshObligation,
  klendRefreshReserve,
  NO_KEY,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import type { CalledInstruction, InvokeContext } from '#engine/program.ts';
import { frameworkError } from '#programs/anchor/framework-error.ts';
import { check, panic } from '../klend-error.ts';

/** The farm's own refresh, which the program has and this model has not: no reserve with a farm gets past here. */
const REFRESH_FARM = { discriminator: new Uint8Array([140, 144, 253, 21, 10, 74, 248, 3]) };

const DISCRIMINATOR_BYTES = 8;

interface Required {
  readonly layout: Pick<InstructionLayout, 'discriminator'>;
  /** Accounts that must stand at these places. */
  readonly accounts: readonly (readonly [index: number, key: Address])[];
}

/**
 * The older deposits and withdrawals want their refreshes right before them, in this order: the reserve's, the obligation's, and the
 * farm's where the reserve has one, once more behind them. Called by another program they do not run at all; the few programs that klend
 * lets through are none of this chain's.
 * @throws AnchorError CpiDisabled, IncorrectInstructionInPosition, 2502; InstructionError before a shorter instruction than any Anchor
 *   program has
 * @see klend programs/klend/src/utils/refresh_ix_utils.rs `check_refresh`
 */
export function assertRefreshed(context: InvokeContext, reserve: Address, obligation: Address, farm: Address): void {
  const { instructions, currentIndex } = context.transaction;
  const isTop = context.stackHeight === 1 && instructions[currentIndex]?.programId === context.programId;
  check(isTop, 'CpiDisabled');
  const farmRefresh: Required = {
    layout: REFRESH_FARM,
    accounts: [
      [3, reserve],
      [1, obligation],
      [4, farm],
    ],
  };
  const around = farm === NO_KEY ? [] : [farmRefresh];
  const before: readonly Required[] = [
    ...around,
    { layout: klendRefreshObligation, accounts: [[1, obligation]] },
    { layout: klendRefreshReserve, accounts: [[0, reserve]] },
  ];
  for (const [index, required] of before.entries()) assertIs(context, instructions[currentIndex - 1 - index], required);
  for (const [index, required] of around.entries()) assertIs(context, instructions[currentIndex + 1 + index], required);
}

function assertIs(context: InvokeContext, found: CalledInstruction | undefined, { layout, accounts }: Required): void {
  check(found !== undefined, 'IncorrectInstructionInPosition');
  if (found.data.length < DISCRIMINATOR_BYTES) panic(context, 'an instruction too short to have a discriminator');
  if (found.programId !== context.programId) throw frameworkError('RequireKeysEqViolated');
  check(isInstructionOf(layout, found.data), 'IncorrectInstructionInPosition');
  for (const [index, key] of accounts) {
    const account = found.accounts[index];
    check(account !== undefined, 'IncorrectInstructionInPosition');
    if (account.address !== key) throw frameworkError('RequireKeysEqViolated');
  }
}
