import { tokenAmount } from './amount-input.ts';

export const LEVERAGE_ALLOWED = 'a number above 1, with at most 6 decimals';

/** Leverage as decimal text, which nothing was lost of: what is supplied is amount × leverage to the unit. */
export const leverageNumber = tokenAmount.refine(
  // More than any pair allows is refused as that, with its maximum; beyond nine digits it is no leverage.
  (text) => /^\d{1,9}(\.\d{1,6})?$/.test(text) && Number(text) > 1,
  { message: LEVERAGE_ALLOWED },
);
