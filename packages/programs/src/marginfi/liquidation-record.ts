import { account } from '#layout/account.ts';
import { array, bytes, i64, i80f48, pubkey, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

/** Amounts are USD, as the bytes of an f64. Time in unix seconds. */
const liquidationEntry = struct({
  assetAmountSeized: bytes(8),
  liabAmountRepaid: bytes(8),
  placeholder0: u64,
  timestamp: i64,
  _reserved0: bytes(16),
});

/** USD in I80F48: maintenance values at the real-time price, equity values at the time-weighted one. */
const liquidationCache = struct({
  assetValueMaint: i80f48,
  liabilityValueMaint: i80f48,
  assetValueEquity: i80f48,
  liabilityValueEquity: i80f48,
  _placeholder: bytes(8),
  _reserved0: bytes(32),
});

/**
 * What receivership liquidations did to one account: who holds it now (nobody outside a liquidation), the last four, and the values
 * at the start of the one under way. Field order and names are the IDL's (0.1.8).
 */
export const liquidationRecordLayout = account('LiquidationRecord', {
  key: pubkey,
  marginfiAccount: pubkey,
  recordPayer: pubkey,
  liquidationReceiver: pubkey,
  entries: array(liquidationEntry, 4),
  cache: liquidationCache,
  _reserved0: bytes(64),
  _reserved2: bytes(16),
  _reserved3: bytes(8),
});

export type LiquidationRecord = ValueOf<typeof liquidationRecordLayout>;
