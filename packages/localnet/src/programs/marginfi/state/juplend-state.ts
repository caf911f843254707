import { JUPLEND_LENDING_DISCRIMINATOR, JUPLEND_LENDING_PROGRAM, JUPLEND_LENDING_SIZE } from '@lending/programs';
import { defineView, key, u64, type View } from '#programs/anchor/field.ts';
import { ofSize } from './venue-bytes.ts';

const FIELDS = {
  fTokenMint: key(40),
  rewardsRateModel: key(75),
  liquidityExchangePrice: u64(107),
  tokenExchangePrice: u64(115),
  tokenReservesLiquidity: key(131),
  supplyPositionOnLiquidity: key(163),
} as const;

const lendingFields = defineView(FIELDS);

/** What the program itself reads of a JupLend lending account. */
export const JUPLEND_LENDING = {
  owner: JUPLEND_LENDING_PROGRAM,
  discriminator: JUPLEND_LENDING_DISCRIMINATOR,
  view: (data: Uint8Array): View<typeof FIELDS> => lendingFields(ofSize(data, JUPLEND_LENDING_SIZE)),
} as const;
