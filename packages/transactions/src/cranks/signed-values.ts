import type { Secp256k1Signature } from '@lending/programs';
import type { Address } from '@solana/kit';

/** What oracles agreed on and signed, as a gateway handed it over. */
export interface SignedValues {
  /** Whose hash the signatures are over. */
  readonly slot: bigint;
  /** Feeds by hash in the order they were signed in, and what they are worth; 18 decimals. */
  readonly values: readonly { readonly feedHash: string; readonly value: bigint }[];
  readonly message: Uint8Array;
  readonly signatures: readonly OracleSignature[];
  /** What oracles that did not sign said, or what was wrong with what they signed. */
  readonly complaints: readonly string[];
}

export interface OracleSignature extends Secp256k1Signature {
  readonly oracle: Address;
}
