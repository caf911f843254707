import { marginfiAccountInitLiqRecord } from '@lending/programs';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireFoundSeeds, requireWritable } from '#programs/anchor/constraints.ts';
import { createAccount } from '#programs/anchor/create-account.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { LIQUIDATION_RECORD } from '../state/liquidation-record-state.ts';

const RECORD_SEED = new TextEncoder().encode('liq_record');
const RECORD_SPACE = 520;

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/init_liquid_record.rs */
export const initializeLiquidationRecord = defineProgramInstruction({
  layout: marginfiAccountInitLiqRecord,
  run(context) {
    const reader = new AccountReader(context);
    const marginfiAccount = reader.loader('marginfi_account', MARGINFI_ACCOUNT);
    const payer = reader.signer('fee_payer');
    const created = reader.created('liquidation_record');
    reader.program('system_program', SYSTEM_PROGRAM);

    const seeds = [RECORD_SEED, marginfiAccount.account.key];
    const bump = requireFoundSeeds(created, seeds, context.programId);
    const record = createAccount(context, created, {
      kind: LIQUIDATION_RECORD,
      payer,
      space: RECORD_SPACE,
      seeds: [...seeds, Uint8Array.of(bump)],
    });
    requireWritable(marginfiAccount);
    requireWritable(payer);

    const account = marginfiAccount.loadMut();
    const state = record.loadMut();
    state.key = record.account.key;
    state.recordPayer = payer.account.key;
    state.marginfiAccount = marginfiAccount.account.key;
    account.liquidationRecord = record.account.key;
  },
});
