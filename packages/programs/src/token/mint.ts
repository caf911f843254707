import { bool, pubkey, u8, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';
import { coption } from './coption.ts';

/** A mint of the token program, and the first 82 bytes of a Token-2022 mint. */
export const mintLayout = struct({
  mintAuthority: coption(pubkey),
  supply: u64,
  decimals: u8,
  isInitialized: bool,
  freezeAuthority: coption(pubkey),
});

export type Mint = ValueOf<typeof mintLayout>;
