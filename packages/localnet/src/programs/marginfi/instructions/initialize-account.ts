import { marginfiAccountInitialize } from '@lending/programs';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireWritable } from '#programs/anchor/constraints.ts';
import { createAccount } from '#programs/anchor/create-account.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { GROUP } from '../state/group-state.ts';
import { checkNotPaused } from '../steps/lending-checks.ts';
import { ACCOUNT_SPACE, emitAccountCreated, initializeAccount } from '../steps/new-account.ts';

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/initialize.rs */
export const initializeKeypairAccount = defineProgramInstruction({
  layout: marginfiAccountInitialize,
  run(context) {
    const reader = new AccountReader(context);
    const group = reader.loader('marginfi_group', GROUP);
    const created = reader.created('marginfi_account');
    const authority = reader.signer('authority');
    const payer = reader.signer('fee_payer');
    reader.program('system_program', SYSTEM_PROGRAM);

    const account = createAccount(context, created, { kind: MARGINFI_ACCOUNT, payer, space: ACCOUNT_SPACE });
    checkNotPaused(context, group);
    requireWritable(payer);

    const owners = { group: group.account.key, authority: authority.account.key };
    initializeAccount(account.loadMut(), owners, context.slot.unixTimestamp);
    emitAccountCreated(context, account, authority);
  },
});
