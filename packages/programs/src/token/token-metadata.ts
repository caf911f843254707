import { addCodecSizePrefix, getUtf8Codec } from '@solana/kit';
import { pubkey, u32, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

const text = addCodecSizePrefix(getUtf8Codec(), u32);

/** What a Token-2022 mint that holds its own metadata calls itself; more fields follow. */
export const tokenMetadataLayout = struct({
  updateAuthority: pubkey,
  mint: pubkey,
  name: text,
  symbol: text,
  uri: text,
});

export type TokenMetadata = ValueOf<typeof tokenMetadataLayout>;
