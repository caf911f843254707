import { JUPLEND_LENDING_PROGRAM, juplendLendingLayout } from '@lending/programs';
import { defineView } from '#programs/anchor/field.ts';
import { ofSize } from './venue-bytes.ts';

const lendingFields = defineView(
  juplendLendingLayout,
  `
    fTokenMint, rewardsRateModel, liquidityExchangePrice, tokenExchangePrice, tokenReservesLiquidity,
    supplyPositionOnLiquidity
  `,
);

/** What the program itself reads of a JupLend lending account. */
export const JUPLEND_LENDING = {
  owner: JUPLEND_LENDING_PROGRAM,
  discriminator: juplendLendingLayout.discriminator,
  view: (data: Uint8Array) => lendingFields(ofSize(data, juplendLendingLayout.fixedSize)),
} as const;
