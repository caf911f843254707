import { marginfiAccountInitializePda } from '@lending/programs';
import { writeU16 } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { INSTRUCTIONS_SYSVAR, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { AccountReader } from '../anchor/account-reader.ts';
import { requireAddress, requireFoundSeeds, requireWritable } from '../anchor/constraints.ts';
import { createAccount } from '../anchor/create-account.ts';
import { err } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import { defineProgramInstruction } from '../program-instruction.ts';
import { MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { GROUP } from '../state/group-state.ts';
import { checkNotPaused } from '../steps/lending-checks.ts';
import { ACCOUNT_SPACE, emitAccountCreated, initializeAccount } from '../steps/new-account.ts';
import { isThirdPartyAllowed } from '../steps/third-parties.ts';

const ACCOUNT_SEED = new TextEncoder().encode('marginfi_account');

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/initialize.rs */
export const initializeDerivedAccount = defineProgramInstruction({
  layout: marginfiAccountInitializePda,
  run(context, { accountIndex, thirdPartyId }) {
    const { group, created, authority, payer, sysvar } = readAccounts(context);
    const keys = [group.account.key, authority.account.key];
    const seeds = [ACCOUNT_SEED, ...keys, u16Bytes(accountIndex), u16Bytes(thirdPartyId ?? 0)];
    const bump = requireFoundSeeds(created, seeds, context.programId);
    const account = createAccount(context, created, {
      kind: MARGINFI_ACCOUNT,
      payer,
      space: ACCOUNT_SPACE,
      seeds: [...seeds, Uint8Array.of(bump)],
    });
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

function u16Bytes(value: number): Uint8Array {
  const bytes = new Uint8Array(2);
  writeU16(bytes, 0, value);
  return bytes;
}
