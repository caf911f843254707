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
  | {
      readonly kind: 'scope';
      readonly value: bigint;
      /** `price = value × 10^exponent`. */
      readonly exponent: number;
      readonly publishTime: bigint;
    }
  | {
      /** A number without an interval, in the program's fixed point already. */
      readonly kind: 'fixed';
      readonly price: I80F48;
      /** Null where no feed gave it. */
      readonly publishTime: bigint | null;
    };
