import type { Decoder, Encoder } from '@solana/kit';

/** An Anchor event as it stands in a `Program data:` log line: discriminator, then its fields. */
export interface EventLayout<T> {
  /** The IDL's name. */
  readonly name: string;
  readonly discriminator: Uint8Array;
  readonly encoder: Encoder<T>;
  readonly decoder: Decoder<T>;
}
