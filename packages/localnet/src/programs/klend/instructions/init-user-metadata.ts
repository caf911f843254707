import { klendInitUserMetadata, klendUserMetadataLayout, NO_KEY, SYSTEM_PROGRAM } from '@lending/programs';
import { AccountReader, loadAccount } from '#programs/anchor/account-reader.ts';
import { requireFoundSeeds, requireWritable } from '#programs/anchor/constraints.ts';
import { createAccount } from '#programs/anchor/create-account.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { USER_METADATA } from '../state/kinds.ts';
import { userMetadataSeeds } from '../state/user-metadata-seeds.ts';

/** @see klend programs/klend/src/handlers/handler_init_user_metadata.rs */
export const initUserMetadata = defineProgramInstruction({
  layout: klendInitUserMetadata,
  run(context, { userLookupTable }) {
    const reader = new AccountReader(context);
    const owner = reader.signer('owner');
    const payer = reader.signer('fee_payer');
    const created = reader.created('user_metadata');
    const referrer = reader.optional('referrer_user_metadata');
    reader.rent('rent');
    reader.program('system_program', SYSTEM_PROGRAM);
    const referredBy =
      referrer === null ? NO_KEY : loadAccount(context, referrer.account, USER_METADATA).load().read().owner;
    const seeds = userMetadataSeeds(owner);
    const bump = requireFoundSeeds(created, seeds, context.programId);
    const metadata = createAccount(context, created, {
      kind: USER_METADATA,
      payer,
      space: klendUserMetadataLayout.fixedSize,
      seeds: [...seeds, Uint8Array.of(bump)],
    });
    requireWritable(payer);
    const content = metadata.loadMut();
    content.write({
      ...content.read(),
      referrer: referredBy,
      bump: BigInt(bump),
      userLookupTable,
      owner: owner.account.address,
    });
  },
});
