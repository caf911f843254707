import { encodePremiumRate, I80F48_ONE } from '@lending/domain';

/** Tags of the demo market's banks in the group's table of premiums; 0 is none. */
export const PREMIUM_TAG = { stable: 1, wrapped: 2, longTail: 3 } as const;

type PremiumTag = keyof typeof PREMIUM_TAG;

/** What a debt of one kind bears on top of interest for collateral of another, percent a year; a pair that is missing costs nothing. */
const RATES: readonly (readonly [collateral: PremiumTag, debt: PremiumTag, percent: bigint])[] = [
  ['stable', 'longTail', 2n],
  ['wrapped', 'stable', 1n],
  ['longTail', 'stable', 5n],
];

/** The group's table as the program keeps it: by collateral, then by debt. */
export const PREMIUM_ENTRIES = RATES.map(([collateral, debt, percent]) => ({
  collateralTag: PREMIUM_TAG[collateral],
  liabilityTag: PREMIUM_TAG[debt],
  rate: premiumRate(percent),
}));

/** How long the demo's banks have charged premiums when the chain begins. */
export const PREMIUM_SECONDS = 2_592_000n;

/** As a balance and the group's table state a rate. @param percent a year. */
export function premiumRate(percent: bigint): number {
  return encodePremiumRate((I80F48_ONE * percent) / 100n);
}
