import { account } from '#layout/account.ts';
import { array, bytes, i80f48, pubkey, u8, u16, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';
import { rebalanceMove } from './instructions/user.ts';

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

/** A bank of the order: what the account had in it at the start in whole tokens (raw I80F48), and which order tagged that balance. */
const refBank = struct({ bank: pubkey, preUnderlying: i80f48, tag: u16, _pad0: bytes(6) });
/** A balance in another bank, which a rebalance leaves as it is. */
const balanceState = struct({ bank: pubkey, isAsset: u8, _pad0: bytes(5), tag: u16, shares: i80f48 });

/**
 * One execution of an order to rebalance, between its start and its end, and where a tip waits in it until that is settled: `pendingTip`
 * lamports, from `settleDelay` seconds after `moveTimestamp` on. Rates and yield indices by bank, raw I80F48. From 0.1.12, in the order of
 * its IDL.
 */
export const rebalanceRecordLayout = account('RebalanceRecord', {
  order: pubkey,
  marginfiAccount: pubkey,
  executor: pubkey,
  refBanks: array(refBank, 8),
  moves: array(rebalanceMove, 8),
  balanceStates: array(balanceState, 15),
  preRate: array(i80f48, 8),
  moveYieldIndex: array(i80f48, 8),
  moveTimestamp: u64,
  pendingTip: u64,
  settleDelay: u64,
  refBankCount: u8,
  moveCount: u8,
  activeBalanceCount: u8,
  _pad0: bytes(5),
});

export type RebalanceRecord = ValueOf<typeof rebalanceRecordLayout>;
