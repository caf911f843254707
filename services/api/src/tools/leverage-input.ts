import { tokenAmount } from './amount-input.ts';

export const LEVERAGE_ALLOWED = 'a number above 1 and at most 1000, with at most 6 decimals';

const MOST_LEVERAGE = 1_000;

/** Leverage as decimal text, which nothing was lost of: what is supplied is amount × leverage to the unit. */
export const leverageNumber = tokenAmount.refine(
  (text) => /^\d+(\.\d{1,6})?$/.test(text) && Number(text) > 1 && Number(text) <= MOST_LEVERAGE,
  { message: LEVERAGE_ALLOWED },
);
