import { account } from '#layout/account.ts';
import { array, bytes, i80f48, pubkey, u8, u64, type ValueOf } from '#layout/field-types.ts';

/**
 * A standing order to keep an account's deposit of a mint in the best paying of up to eight banks, of which the first
 * `allowedBankCount` count. `minImprovement` raw I80F48, 1 is 100 % a year; `amount` base units an execution, 0 all; times in unix
 * seconds; `keeperTip` lamports. From 0.1.12, in the order of its IDL.
 */
export const rebalanceOrderLayout = account('RebalanceOrder', {
  marginfiAccount: pubkey,
  authority: pubkey,
  mint: pubkey,
  allowedBanks: array(pubkey, 8),
  minImprovement: i80f48,
  cooldownSeconds: u64,
  amount: u64,
  lastExecTimestamp: u64,
  bump: u8,
  allowedBankCount: u8,
  _pad0: bytes(6),
  keeperTip: u64,
});

export type RebalanceOrder = ValueOf<typeof rebalanceOrderLayout>;
