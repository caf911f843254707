import { feeStateLayout } from '@lending/programs';
import { defineView } from '#programs/anchor/field.ts';

const feeFields = defineView(
  feeStateLayout,
  `
    globalFeeWallet, liquidationMaxFee, programFeeFixed, programFeeRate, panicState.pauseFlags,
    panicState.pauseStartTimestamp, liquidationFlatSolFee
  `,
);

/** The program's one fee state. */
export type FeeState = ReturnType<typeof feeFields> & { readonly data: Uint8Array };

export const FEE_STATE = {
  discriminator: feeStateLayout.discriminator,
  view: (data: Uint8Array): FeeState => Object.assign(feeFields(data), { data }),
} as const;
