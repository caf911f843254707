import { isInstructionOf, lendingAccountEndFlashloan, lendingAccountStartFlashloan } from '@lending/programs';
import type { Address } from '@solana/kit';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { INSTRUCTIONS_SYSVAR } from '#engine/runtime-addresses.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { requireConstraint, requireHasOne } from '../constraints.ts';
import { check, err } from '../error-sites.ts';
import { fail, panic } from '../marginfi-error.ts';
import { hasFlag, MARGINFI_ACCOUNT, setFlag } from '../state/account-state.ts';
import { assertNotCalled, requireOwnIndex } from '../steps/transaction-checks.ts';

const SOURCE = 'instructions/marginfi_account/flashloan.rs';

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/flashloan.rs */
export const startFlashLoan = defineProgramInstruction({
  layout: lendingAccountStartFlashloan,
  run(context, { endIndex }) {
    const reader = new AccountReader(context);
    const marginfiAccount = reader.loader('marginfi_account', MARGINFI_ACCOUNT);
    const authority = reader.signer('authority');
    const sysvar = reader.unchecked('ixs_sysvar');
    requireWritable(marginfiAccount);
    const state = marginfiAccount.load();
    requireHasOne(marginfiAccount, state.authority, authority, 'Unauthorized');
    const isBusy = hasFlag(
      state,
      'inFlashLoan',
      'inDeleverage',
      'inReceivership',
      'disabled',
      'frozen',
      'inOrderExecution',
    );
    requireConstraint(marginfiAccount, !isBusy, 'IllegalFlashloan');
    requireAddress(sysvar, INSTRUCTIONS_SYSVAR);

    assertEnds(context, endIndex, marginfiAccount.account.address);
    setFlag(marginfiAccount.loadMut(), 'inFlashLoan');
  },
});

/** The loan must end later in the same transaction, at the top of it and for the same account. */
function assertEnds(context: InvokeContext, endIndex: bigint, account: Address): void {
  const currentIndex = requireOwnIndex(context);
  if (BigInt(currentIndex) >= endIndex) fail(context, 'IllegalFlashloan', check(SOURCE, 81));
  assertNotCalled(context);
  const end = context.transaction.instructions[Number(endIndex)];
  if (end === undefined) throw new InstructionError('InvalidArgument');
  if (end.data.length < lendingAccountEndFlashloan.discriminator.length) panic(context, 'no discriminator to read');
  if (!isInstructionOf(lendingAccountEndFlashloan, end.data)) fail(context, 'IllegalFlashloan', err(SOURCE, 90));
  if (end.programId !== context.programId) fail(context, 'IllegalFlashloan', check(SOURCE, 93));
  const [ended] = end.accounts;
  if (ended === undefined) fail(context, 'IllegalFlashloan');
  if (ended.address !== account) fail(context, 'IllegalFlashloan', check(SOURCE, 105));
}
