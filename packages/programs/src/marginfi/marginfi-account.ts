import { account } from '#layout/account.ts';
import { array, bytes, f64, i64, i80f48, pubkey, u8, u16, u32, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

/** Slots for balances; each can hold one bank, as a deposit or as a debt. */
export const MAX_BALANCES = 16;

/**
 * One byte each, so that accounts can be filtered by them; 0.1.9. All zero on an account that nothing touched since: a hint, never
 * the truth.
 */
const indexerFlags = struct({
  isLendingOnly: u8,
  isEmpty: u8,
  isSingleBorrower: u8,
  hasEverBeenLiquidated: u8,
  hasEverBeenDeleveraged: u8,
  hasBeenBankrupted: u8,
  hasIsolated: u8,
  hasStaked: u8,
  hasKamino: u8,
  hasDrift: u8,
  hasJuplend: u8,
  wasLiquidatable: u8,
  wasUnderwater: u8,
  wasActive30d: u8,
  wasActive60d: u8,
  hasTrivialBalance: u8,
  _pad: bytes(8),
});

/**
 * What the program last computed about an account, USD in I80F48. Stale whenever nothing pulsed it since, and zeros after a flash
 * loan: for display and for comparing, never for a decision. `prices` are in the order of the active balances; the IDL has them as bytes.
 */
export const healthCache = struct({
  assetValue: i80f48,
  liabilityValue: i80f48,
  assetValueMaint: i80f48,
  liabilityValueMaint: i80f48,
  assetValueEquity: i80f48,
  liabilityValueEquity: i80f48,
  timestamp: i64,
  flags: u32,
  mrgnErr: u32,
  prices: array(f64, 16),
  internalErr: u32,
  errIndex: u8,
  programVersion: u8,
  pad0: bytes(2),
  internalLiqErr: u32,
  internalBankruptcyErr: u32,
  reserved0: bytes(32),
  reserved1: bytes(16),
});

export const balance = struct({
  active: u8,
  bankPk: pubkey,
  bankAssetTag: u8,
  tag: u16,
  premiumRateSnapshot: u32,
  assetShares: i80f48,
  liabilityShares: i80f48,
  premiumOutstanding: i80f48,
  lastUpdate: u64,
  _padding: bytes(8),
});

const lendingAccount = struct({
  balances: array(balance, MAX_BALANCES),
  lastTagUsed: u16,
  _pad1: bytes(6),
  _padding: bytes(56),
});

/**
 * One owner's portfolio, with its discriminator as a hidden prefix. Field order and names are the IDL's (0.1.8), with what 0.1.9 put
 * into its padding: `activeOrders` and `indexerFlags`. Balances are kept sorted by bank, descending, since the program sorts; older
 * accounts may have gaps.
 */
export const marginfiAccountLayout = account('MarginfiAccount', {
  group: pubkey,
  authority: pubkey,
  lendingAccount,
  accountFlags: u64,
  emissionsDestinationAccount: pubkey,
  healthCache,
  migratedFrom: pubkey,
  migratedTo: pubkey,
  lastUpdate: u64,
  accountIndex: u16,
  thirdPartyIndex: u16,
  bump: u8,
  activeOrders: u8,
  _pad0: bytes(2),
  liquidationRecord: pubkey,
  indexerFlags,
  rebalanceExecutionSeq: u64,
  liquidationTaggedAt: i64,
  _padding0: bytes(16),
});

export type MarginfiAccount = ValueOf<typeof marginfiAccountLayout>;
