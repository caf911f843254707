import type { P0Group } from '@lending/venues';
import type { Address } from '@solana/kit';

/** What the program leaves behind of its own arithmetic, in the order in which each rests on the ones before. */
export const FIGURES = ['rates', 'interest', 'price', 'health', 'premium'] as const;
export type Figure = (typeof FIGURES)[number];

/** What of a group its banks' figures depend on. */
export type AuditedGroup = Pick<P0Group, 'programFee' | 'sameAssetLeverage' | 'premiumPairs'>;

/** One figure of ours beside the program's, of the same bytes. Only what could have differed is compared. */
export interface Comparison {
  readonly figure: Figure;
  /** The program's name for the field. */
  readonly field: string;
  /** Whose numbers it was made of: each of them may be why it differs. */
  readonly banks: readonly Address[];
  /** Null where the figure is a bank's own. */
  readonly account: Address | null;
  /** In raw units of the field: of u32::MAX for rates, of 2^-48 for the rest. */
  readonly ours: bigint;
  readonly theirs: bigint;
  /** How far apart they may be, in the same units; 0 where the program's arithmetic is known to the last bit. */
  readonly bound: bigint;
}

export function differs({ ours, theirs, bound }: Pick<Comparison, 'ours' | 'theirs' | 'bound'>): boolean {
  const difference = ours - theirs;
  return difference > bound || difference < -bound;
}
