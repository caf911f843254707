import {
  type InstructionLayout,
  lendingPoolResizeBankAccount,
  lendingPoolResizeGroupAccount,
  type MarginfiErrorName,
  type ProgramVersion,
  resizeGlobalFeeState,
} from '@lending/programs';
import { hasBytesAt } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { type AccountKind, AccountReader, type NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireWritable } from '#programs/anchor/constraints.ts';
import { transferLamports } from '#programs/anchor/create-account.ts';
import { defineProgramInstruction, type ProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { fail } from '../marginfi-error.ts';
import { BANK } from '../state/bank-state.ts';
import { FEE_STATE, requireFeeState } from '../state/fee-state.ts';
import { GROUP } from '../state/group-state.ts';

interface Resize {
  readonly since: ProgramVersion;
  readonly kind: AccountKind<unknown> & Required<Pick<AccountKind<unknown>, 'leastSize'>>;
  readonly refusal: MarginfiErrorName;
  readonly check?: (context: InvokeContext, account: NamedAccount) => void;
}

/** Lengthens an account to what the running version takes it to be. @see marginfi-v2 …/marginfi_group/resize_account.rs */
function resize<TList extends string, TArgs>(
  layout: InstructionLayout<TList, TArgs>,
  { since, kind, refusal, check }: Resize,
): ProgramInstruction {
  return defineProgramInstruction({
    layout,
    since,
    run(context) {
      const reader = new AccountReader(context);
      const resized = reader.unchecked(layout.accounts[0]?.name ?? '');
      const payer = reader.signer('payer');
      reader.program('system_program', SYSTEM_PROGRAM);
      requireWritable(resized);
      check?.(context, resized);
      requireWritable(payer);

      const { account } = resized;
      const isOfKind = account.owner === context.programId && hasBytesAt(account.data, 0, kind.discriminator);
      if (!isOfKind) fail(context, refusal);
      const [before, size] = [account.data.length, kind.leastSize(context)];
      if (before >= size) fail(context, 'InvalidResize');
      const missing = context.slot.minimumBalance(size) - account.lamports;
      if (missing > 0n) transferLamports(context, payer, resized, missing);
      account.resize(size);
      context.log(`account resized: ${before} -> ${size} bytes`);
    },
  });
}

export const resizeFeeState = resize(resizeGlobalFeeState, {
  since: '0.1.10',
  kind: FEE_STATE,
  refusal: 'InvalidGroup',
  check: requireFeeState,
});
export const resizeGroup = resize(lendingPoolResizeGroupAccount, {
  since: '0.1.10',
  kind: GROUP,
  refusal: 'InvalidGroup',
});
export const resizeBank = resize(lendingPoolResizeBankAccount, {
  since: '0.1.12',
  kind: BANK,
  refusal: 'InvalidBankAccount',
});
