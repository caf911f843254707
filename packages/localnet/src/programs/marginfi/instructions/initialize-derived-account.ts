import { marginfiAccountInitializePda } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { INSTRUCTIONS_SYSVAR, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { err } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import { GROUP } from '../state/group-state.ts';
import { createDerivedAccount } from '../steps/derived-account.ts';
import { checkNotPaused } from '../steps/lending-checks.ts';
import { emitAccountCreated, initializeAccount } from '../steps/new-account.ts';
import { isThirdPartyAllowed } from '../steps/third-parties.ts';

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/initialize.rs */
export const initializeDerivedAccount = defineProgramInstruction({
  layout: marginfiAccountInitializePda,
  run(context, { accountIndex, thirdPartyId }) {
    const { group, created, authority, payer, sysvar } = readAccounts(context);
    const from = { group, authority, accountIndex, thirdPartyId };
    const { account, bump } = createDerivedAccount(context, created, payer, from);
    checkNotPaused(context, group);
    requireWritable(payer);
    requireAddress(sysvar, INSTRUCTIONS_SYSVAR);

    if (thirdPartyId !== null && !isThirdPartyAllowed(context, thirdPartyId)) {
      fail(context, 'Unauthorized', err('instructions/marginfi_account/initialize.rs', 78));
    }
    const state = account.loadMut();
    const owners = { group: group.account.key, authority: authority.account.key };
    initializeAccount(state, owners, context.slot.unixTimestamp);
    state.accountIndex = accountIndex;
    state.thirdPartyIndex = thirdPartyId ?? 0;
    state.bump = bump;
    emitAccountCreated(context, account, authority);
  },
});

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  const accounts = {
    group: reader.loader('marginfi_group', GROUP),
    created: reader.created('marginfi_account'),
    authority: reader.signer('authority'),
    payer: reader.signer('fee_payer'),
    sysvar: reader.unchecked('instructions_sysvar'),
  };
  reader.program('system_program', SYSTEM_PROGRAM);
  return accounts;
}
