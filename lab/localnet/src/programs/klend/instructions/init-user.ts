import {
  getAddressBytes,
  klendInitObligation,
  klendInitUserMetadata,
  klendObligationLayout,
  klendUserMetadataLayout,
  NO_KEY,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import { AccountReader, type NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireFoundSeeds, requireSeeds, requireWritable } from '#programs/anchor/constraints.ts';
import { createAccount } from '#programs/anchor/create-account.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { panic } from '../klend-error.ts';
import { MARKET, OBLIGATION, USER_METADATA } from '../state/kinds.ts';

const USER_METADATA_SEED = new TextEncoder().encode('user_meta');

/** Of the account that the program keeps for an owner, without its bump. */
function userMetadataSeeds({ account }: NamedAccount): readonly Uint8Array[] {
  return [USER_METADATA_SEED, getAddressBytes(account.address)];
}

/** Referrers are not modelled. @see klend programs/klend/src/handlers/handler_init_user_metadata.rs */
export const initUserMetadata = defineProgramInstruction({
  layout: klendInitUserMetadata,
  run(context, { userLookupTable }) {
    const reader = new AccountReader(context);
    const owner = reader.signer('owner');
    const payer = reader.signer('fee_payer');
    const created = reader.created('user_metadata');
    if (reader.optional('referrer_user_metadata') !== null) panic(context, 'referrers are not modelled');
    reader.rent('rent');
    reader.program('system_program', SYSTEM_PROGRAM);
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
    content.write({ ...content.read(), bump: BigInt(bump), userLookupTable, owner: owner.account.address });
  },
});

/**
 * Only ordinary obligations are modelled, whose seeds are both the system program's address: the program stops at another.
 * @see klend programs/klend/src/handlers/handler_init_obligation.rs
 */
export const initObligation = defineProgramInstruction({
  layout: klendInitObligation,
  run(context, { args: { tag, id } }) {
    const reader = new AccountReader(context);
    const owner = reader.signer('obligation_owner');
    const payer = reader.signer('fee_payer');
    const created = reader.created('obligation');
    const market = reader.loader('lending_market', MARKET);
    const ends = [reader.unchecked('seed1_account'), reader.unchecked('seed2_account')];
    const metadata = reader.loader('owner_user_metadata', USER_METADATA);
    reader.rent('rent');
    reader.program('system_program', SYSTEM_PROGRAM);
    const keys = [owner, market, ...ends].map(({ account }) => account.key);
    const seeds = [Uint8Array.of(tag), Uint8Array.of(id), ...keys];
    const bump = requireFoundSeeds(created, seeds, context.programId);
    const obligation = createAccount(context, created, {
      kind: OBLIGATION,
      payer,
      space: klendObligationLayout.fixedSize,
      seeds: [...seeds, Uint8Array.of(bump)],
    });
    requireWritable(payer);
    const { bump: metadataBump, referrer } = metadata.load().read();
    requireSeeds(metadata, userMetadataSeeds(owner), Number(metadataBump & 255n), context.programId);
    const isOrdinary = tag === 0 && ends.every(({ account }) => account.address === NO_KEY);
    if (!isOrdinary) panic(context, 'the seeds do not fit the tag');
    const content = obligation.loadMut();
    const empty = content.read();
    content.write({
      ...empty,
      lastUpdate: { ...empty.lastUpdate, slot: context.slot.slot, stale: 1 },
      lendingMarket: market.account.address,
      owner: owner.account.address,
      referrer,
    });
  },
});
