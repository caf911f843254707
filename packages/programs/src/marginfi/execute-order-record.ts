import { account } from '#layout/account.ts';
import { array, bytes, i80f48, pubkey, u8, u16, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

const executeOrderBalanceRecord = struct({ bank: pubkey, isAsset: u8, _pad0: bytes(5), tag: u16, shares: i80f48 });

/**
 * Exists while an order is executed: the account's other balances at the start, which must be the same at the end. Field order and
 * names are the IDL's (0.1.8).
 */
export const executeOrderRecordLayout = account('ExecuteOrderRecord', {
  order: pubkey,
  executor: pubkey,
  balanceStates: array(executeOrderBalanceRecord, 14),
  activeBalanceCount: u8,
  inactiveBalanceCount: u8,
  _reserved0: bytes(6),
  orderStartHealth: i80f48,
});

export type ExecuteOrderRecord = ValueOf<typeof executeOrderRecordLayout>;
