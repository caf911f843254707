import { klendInitObligation, klendObligationLayout, NO_KEY, SYSTEM_PROGRAM } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader, type NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireFoundSeeds, requireSeeds, requireWritable } from '#programs/anchor/constraints.ts';
import { createAccount } from '#programs/anchor/create-account.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { isUnpackable } from '../../token-2022/extended-state.ts';
import { panic } from '../klend-error.ts';
import { MARKET, OBLIGATION, USER_METADATA } from '../state/kinds.ts';
import { newObligation } from '../state/new-obligation.ts';
import { userMetadataSeeds } from '../state/user-metadata-seeds.ts';

/** @see klend programs/klend/src/handlers/handler_init_obligation.rs */
export const initObligation = defineProgramInstruction({
  layout: klendInitObligation,
  run(context, { args: { tag, id } }) {
    const reader = new AccountReader(context);
    const owner = reader.signer('obligation_owner');
    const payer = reader.signer('fee_payer');
    const created = reader.created('obligation');
    const market = reader.loader('lending_market', MARKET);
    const first = reader.unchecked('seed1_account');
    const second = reader.unchecked('seed2_account');
    const metadata = reader.loader('owner_user_metadata', USER_METADATA);
    reader.rent('rent');
    reader.program('system_program', SYSTEM_PROGRAM);
    const keys = [owner, market, first, second].map(({ account }) => account.key);
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
    assertSeedsFit(context, tag, first, second);
    obligation.loadMut().write(
      newObligation({
        tag: BigInt(tag),
        slot: context.slot.slot,
        market: market.account.address,
        owner: owner.account.address,
        referrer,
      }),
    );
  },
});

/** What the seeds must be depends on the kind of obligation; the program stops where they are not. */
function assertSeedsFit(context: InvokeContext, tag: number, first: NamedAccount, second: NamedAccount): void {
  const isMint = ({ account }: NamedAccount) => isUnpackable(account.data, 'mint');
  const isSame = first.account.address === second.account.address;
  const fits =
    (tag === 0 && isSame && first.account.address === NO_KEY) ||
    ((tag === 1 || tag === 3) && isMint(first) && isMint(second)) ||
    (tag === 2 && isMint(first) && isSame) ||
    tag > 3;
  if (!fits) panic(context, 'the seeds do not fit the tag');
}
