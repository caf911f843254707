import { getAddressBytes, juplendLiquidityInitClaimAccount, juplendUserClaimLayout } from '@lending/programs';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireFoundSeeds, requireWritable } from '#programs/anchor/constraints.ts';
import { createAccount } from '#programs/anchor/create-account.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { store, USER_CLAIM } from '../accounts.ts';

const SEED = new TextEncoder().encode('user_claim');

/** @see fluid-solana-programs programs/liquidity/src/module/user.rs `init_claim_account` */
export const initClaimAccount = defineProgramInstruction({
  layout: juplendLiquidityInitClaimAccount,
  run(context, { mint, user }) {
    const reader = new AccountReader(context);
    const payer = reader.signer('signer');
    const created = reader.created('claim_account');
    reader.program('system_program', SYSTEM_PROGRAM);

    const seeds = [SEED, getAddressBytes(user), getAddressBytes(mint)];
    const bump = requireFoundSeeds(created, seeds, context.programId);
    const space = juplendUserClaimLayout.fixedSize;
    createAccount(context, created, { kind: USER_CLAIM, payer, space, seeds: [...seeds, Uint8Array.of(bump)] });
    requireWritable(payer);
    store(created, USER_CLAIM, { user, amount: 0n, mint });
  },
});
