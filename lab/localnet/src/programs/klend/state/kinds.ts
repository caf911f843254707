import {
  KLEND_PROGRAM,
  type KlendMarket,
  type KlendObligation,
  type KlendReserve,
  type KlendUserMetadata,
  klendMarketLayout,
  klendObligationLayout,
  klendReserveLayout,
  klendUserMetadataLayout,
} from '@lending/programs';
import { isSolanaError, type ReadonlyUint8Array } from '@solana/kit';
import { InstructionError } from '#engine/instruction-error.ts';
import type { AccountKind, Loader } from '#programs/anchor/account-reader.ts';

/** An account's content, read as a whole and written as a whole. */
export interface Content<T> {
  read(): T;
  /** @throws InstructionError where a number outgrows its field: the program's own arithmetic gives up there. */
  write(value: T): void;
}

export type ReserveLoader = Loader<Content<KlendReserve>>;
export type MarketLoader = Loader<Content<KlendMarket>>;
export type ObligationLoader = Loader<Content<KlendObligation>>;

interface Codec<T> {
  readonly decode: (bytes: Uint8Array) => T;
  readonly encode: (value: T) => ReadonlyUint8Array;
}

export const RESERVE: AccountKind<Content<KlendReserve>> = kindOf(klendReserveLayout.discriminator, {
  decode: klendReserveLayout.decode,
  encode: klendReserveLayout.encode,
});
export const MARKET: AccountKind<Content<KlendMarket>> = kindOf(klendMarketLayout.discriminator, {
  decode: klendMarketLayout.decode,
  encode: klendMarketLayout.encode,
});
export const OBLIGATION: AccountKind<Content<KlendObligation>> = kindOf(klendObligationLayout.discriminator, {
  decode: klendObligationLayout.decode,
  encode: klendObligationLayout.encode,
});
export const USER_METADATA: AccountKind<Content<KlendUserMetadata>> = kindOf(klendUserMetadataLayout.discriminator, {
  decode: klendUserMetadataLayout.decode,
  encode: klendUserMetadataLayout.encode,
});

function kindOf<T>(discriminator: Uint8Array, { decode, encode }: Codec<T>): AccountKind<Content<T>> {
  return {
    owner: KLEND_PROGRAM,
    discriminator,
    view: (data) => ({ read: () => decode(data), write: (value) => data.set(encodeWhole(encode, value)) }),
  };
}

function encodeWhole<T>(encode: Codec<T>['encode'], value: T): ReadonlyUint8Array {
  try {
    return encode(value);
  } catch (error) {
    if (isSolanaError(error)) throw new InstructionError('ProgramFailedToComplete');
    throw error;
  }
}
