import { type Base58EncodedBytes, getBase58Decoder } from '@solana/kit';

/** Which accounts of a program are meant: of one size, or with certain bytes at an offset (both in bytes). At most four. */
export type ProgramFilter =
  | { readonly kind: 'size'; readonly bytes: number }
  | { readonly kind: 'content'; readonly offset: number; readonly bytes: Uint8Array };

/** The filters as a node takes them. */
export function toRpcFilters(filters: readonly ProgramFilter[]) {
  return filters.map((filter) =>
    filter.kind === 'size'
      ? { dataSize: BigInt(filter.bytes) }
      : {
          memcmp: {
            offset: BigInt(filter.offset),
            bytes: getBase58Decoder().decode(filter.bytes) as Base58EncodedBytes,
            encoding: 'base58' as const,
          },
        },
  );
}
