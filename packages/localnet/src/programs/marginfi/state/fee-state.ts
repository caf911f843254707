import { FEE_STATE_DISCRIMINATOR } from '@lending/programs';
import { defineView, i64, i80f48, key, u8, u32, type View } from '#programs/anchor/field.ts';

const FIELDS = {
  globalFeeWallet: key(72),
  liquidationMaxFee: i80f48(120),
  programFeeFixed: i80f48(136),
  programFeeRate: i80f48(152),
  pauseFlags: u8(168),
  pauseStartTimestamp: i64(176),
  liquidationFlatSolFee: u32(208),
} as const;

const feeFields = defineView(FIELDS);

/** The program's one fee state. */
export type FeeState = View<typeof FIELDS> & { readonly data: Uint8Array };

export const FEE_STATE = {
  discriminator: FEE_STATE_DISCRIMINATOR,
  view: (data: Uint8Array): FeeState => Object.assign(feeFields(data), { data }),
} as const;
