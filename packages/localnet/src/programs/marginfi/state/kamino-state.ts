import { KLEND_PROGRAM, klendObligationLayout, klendReserveLayout, placeOf } from '@lending/programs';
import { defineView } from '#programs/anchor/field.ts';
import { ofSize } from './venue-bytes.ts';

const reserveFields = defineView(
  klendReserveLayout,
  `
    liquidity.totalAvailableAmount, liquidity.borrowedAmountSf, liquidity.mintDecimals,
    liquidity.accumulatedProtocolFeesSf, liquidity.accumulatedReferrerFeesSf, liquidity.pendingReferrerFeesSf,
    collateral.mintTotalSupply
  `,
);

/** What the program itself reads of a klend reserve. */
export const KAMINO_RESERVE = {
  owner: KLEND_PROGRAM,
  discriminator: klendReserveLayout.discriminator,
  view: (data: Uint8Array) => reserveFields(ofSize(data, klendReserveLayout.fixedSize)),
} as const;

const MAX_DEPOSITS = 8;
const DEPOSIT_SIZE = placeOf(klendObligationLayout, 'deposits.0').type.fixedSize;
/** Of the first deposit; the others stand behind it. */
const depositAt = defineView(klendObligationLayout, 'deposits.0.depositReserve, deposits.0.depositedAmount');

/** What the program itself reads of a klend obligation: its deposits, in receipts. */
export const KAMINO_OBLIGATION = {
  owner: KLEND_PROGRAM,
  discriminator: klendObligationLayout.discriminator,
  view: (data: Uint8Array) => {
    const bytes = ofSize(data, klendObligationLayout.fixedSize);
    const at = (index: number) => depositAt(bytes, index * DEPOSIT_SIZE);
    return { first: at(0), others: Array.from({ length: MAX_DEPOSITS - 1 }, (_, index) => at(index + 1)) };
  },
} as const;
