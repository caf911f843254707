import { type ArgsOf, pubkey, u8, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';
import { coption } from './coption.ts';

/** Values of `state`. */
export const TOKEN_ACCOUNT_STATE = { uninitialized: 0, initialized: 1, frozen: 2 } as const;

/**
 * An account of the token program, and the first 165 bytes of a Token-2022 account. `isNative` holds the rent-exempt
 * lamports of a wrapped SOL account.
 */
export const tokenAccountLayout = struct({
  mint: pubkey,
  owner: pubkey,
  amount: u64,
  delegate: coption(pubkey),
  state: u8,
  isNative: coption(u64),
  delegatedAmount: u64,
  closeAuthority: coption(pubkey),
});

export type TokenAccount = ValueOf<typeof tokenAccountLayout>;

export type TokenAccountArgs = ArgsOf<typeof tokenAccountLayout>;
