import type { I80F48 } from '@lending/domain';

/** What a feed says, in its own integers, before the program makes fixed point of it. Times in unix seconds. */
export type PriceFeed =
  | {
      readonly kind: 'pyth';
      readonly price: bigint;
      readonly conf: bigint;
      readonly emaPrice: bigint;
      readonly emaConf: bigint;
      /** `value = raw × 10^exponent`. */
      readonly exponent: number;
      readonly publishTime: bigint;
    }
  | {
      readonly kind: 'switchboard';
      /** The median, with 18 decimals. */
      readonly value: bigint;
      readonly publishTime: bigint;
    }
  | { readonly kind: 'fixed'; readonly price: I80F48; readonly publishTime: null };
