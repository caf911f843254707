import { feeStateLayout } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireFoundSeeds } from '#programs/anchor/constraints.ts';
import { defineView } from '#programs/anchor/field.ts';
import { sizeOf } from '../version.ts';

const feeFields = defineView(
  feeStateLayout,
  `
    globalFeeWallet, accountTransferFee, liquidationMaxFee, programFeeFixed, programFeeRate, panicState.pauseFlags,
    panicState.pauseStartTimestamp, liquidationFlatSolFee
  `,
);

/** The program's one fee state. */
export type FeeState = ReturnType<typeof feeFields> & { readonly data: Uint8Array };

export const FEE_STATE = {
  discriminator: feeStateLayout.discriminator,
  leastSize: sizeOf('feeState'),
  view: (data: Uint8Array): FeeState => Object.assign(feeFields(data), { data }),
} as const;

const SEED = new TextEncoder().encode('feestate');

/** `seeds = ["feestate"], bump` */
export function requireFeeState({ programId }: InvokeContext, feeState: NamedAccount): void {
  requireFoundSeeds(feeState, [SEED], programId);
}
