import { ACCOUNT_FLAG, type DebtPremium, hasLiability } from '@lending/domain';
import {
  balance,
  healthCache,
  liquidationRecordLayout,
  MAX_BALANCES,
  marginfiAccountLayout,
  placeOf,
  readAddress,
} from '@lending/programs';
import { areBytesEqual } from '#engine/bytes.ts';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { defineView } from '#programs/anchor/field.ts';

const accountFields = defineView(
  marginfiAccountLayout,
  `
    group, authority, lendingAccount.lastTagUsed, accountFlags, emissionsDestinationAccount, migratedFrom, migratedTo,
    lastUpdate, liquidationTaggedAt, accountIndex, thirdPartyIndex, bump, activeOrders, liquidationRecord, indexerFlags.isLendingOnly,
    indexerFlags.isEmpty, indexerFlags.isSingleBorrower, indexerFlags.hasEverBeenLiquidated,
    indexerFlags.hasEverBeenDeleveraged, indexerFlags.hasBeenBankrupted, indexerFlags.hasIsolated,
    indexerFlags.hasStaked, indexerFlags.hasKamino, indexerFlags.hasDrift, indexerFlags.hasJuplend,
    indexerFlags.wasLiquidatable, indexerFlags.wasUnderwater, indexerFlags.wasActive30d, indexerFlags.wasActive60d,
    indexerFlags.hasTrivialBalance
  `,
);
const INDEXER_FLAGS = placeOf(marginfiAccountLayout, 'indexerFlags');

/** A user's account of the program, its fields read and written in place. */
export type AccountState = ReturnType<typeof accountFields> & { readonly data: Uint8Array };

export const MARGINFI_ACCOUNT = {
  discriminator: marginfiAccountLayout.discriminator,
  view: (data: Uint8Array): AccountState => Object.assign(accountFields(data), { data }),
} as const;

/** Whether any of the flags is set. */
export function hasFlag(account: AccountState, ...flags: readonly (keyof typeof ACCOUNT_FLAG)[]): boolean {
  return flags.some((flag) => (account.accountFlags & ACCOUNT_FLAG[flag]) !== 0n);
}

export function setFlag(account: AccountState, flag: keyof typeof ACCOUNT_FLAG): void {
  account.accountFlags |= ACCOUNT_FLAG[flag];
}

export function clearFlag(account: AccountState, flag: keyof typeof ACCOUNT_FLAG): void {
  account.accountFlags &= ~ACCOUNT_FLAG[flag];
}

/** All of an account's flags for indexers, reserved bytes too. */
export function copyIndexerFlags(from: AccountState, to: AccountState): void {
  const { offset, type } = INDEXER_FLAGS;
  to.data.set(from.data.subarray(offset, offset + type.fixedSize), offset);
}

const balanceAt = defineView(
  balance,
  `active, bankPk, bankAssetTag, tag, assetShares, liabilityShares, lastUpdate, premiumRateSnapshot, premiumOutstanding`,
);
const BALANCE_SIZE = balance.fixedSize;
/** The balances, the last tag used and reserved bytes. */
const LENDING_ACCOUNT = placeOf(marginfiAccountLayout, 'lendingAccount');
const BALANCES_START = placeOf(marginfiAccountLayout, 'lendingAccount.balances').offset;
const LENDING_ACCOUNT_END = LENDING_ACCOUNT.offset + LENDING_ACCOUNT.type.fixedSize;
const BANK_KEY = placeOf(balance, 'bankPk').offset;

/** One slot of an account, at its place. */
export type BalanceState = ReturnType<typeof balanceAt>;

/** All slots in the order they stand in. */
export function balancesOf(account: { readonly data: Uint8Array }): readonly BalanceState[] {
  return Array.from({ length: MAX_BALANCES }, (_, index) =>
    balanceAt(account.data, BALANCES_START + index * BALANCE_SIZE),
  );
}

/** The used slots in the order they stand in: health accounts follow it. */
export function activeBalancesOf(account: { readonly data: Uint8Array }): readonly BalanceState[] {
  return balancesOf(account).filter((balance) => balance.active !== 0);
}

export function findBalance(account: { readonly data: Uint8Array }, bank: Uint8Array): BalanceState | undefined {
  return activeBalancesOf(account).find((balance) => areBytesEqual(balance.bankPk, bank));
}

/** What a balance holds of a premium; its bank says whether that counts. */
export function debtPremiumOf({ premiumRateSnapshot, premiumOutstanding, lastUpdate }: BalanceState): DebtPremium {
  return { rate: premiumRateSnapshot, outstanding: premiumOutstanding, claimedAt: lastUpdate };
}

/** Whether anything is owed; dust is nothing. */
export function owesAnything(account: { readonly data: Uint8Array }): boolean {
  return activeBalancesOf(account).some(hasLiability);
}

/** Takes the first free slot for a bank; undefined when there is none. */
export function openBalance(
  account: { readonly data: Uint8Array },
  opened: { readonly bank: Uint8Array; readonly assetTag: number; readonly unixTimestamp: bigint },
): BalanceState | undefined {
  const index = balancesOf(account).findIndex((balance) => balance.active === 0);
  if (index === -1) return undefined;
  clearSlot(account.data, index);
  const balance = balanceAt(account.data, BALANCES_START + index * BALANCE_SIZE);
  balance.active = 1;
  balance.bankPk = opened.bank;
  balance.bankAssetTag = opened.assetTag;
  balance.lastUpdate = opened.unixTimestamp;
  return balance;
}

/** Frees the slot; nothing of it stays behind. */
export function closeBalanceSlot(account: { readonly data: Uint8Array }, bank: Uint8Array): void {
  const index = balancesOf(account).findIndex((balance) => balance.active !== 0 && areBytesEqual(balance.bankPk, bank));
  if (index !== -1) clearSlot(account.data, index);
}

/** Puts the slots in descending order of their banks' bytes; free ones have a zero bank and so come last. */
export function sortBalances(account: { readonly data: Uint8Array }): void {
  const slots = Array.from({ length: MAX_BALANCES }, (_, index) =>
    account.data.slice(BALANCES_START + index * BALANCE_SIZE, BALANCES_START + (index + 1) * BALANCE_SIZE),
  );
  slots.sort((one, other) => Buffer.compare(bankBytes(other), bankBytes(one)));
  for (const [index, slot] of slots.entries()) account.data.set(slot, BALANCES_START + index * BALANCE_SIZE);
}

/** Copies all balances, and what stands with them, from one account to another. */
export function copyLendingAccount(from: { readonly data: Uint8Array }, to: { readonly data: Uint8Array }): void {
  to.data.set(from.data.subarray(BALANCES_START, LENDING_ACCOUNT_END), BALANCES_START);
}

export function clearLendingAccount(account: { readonly data: Uint8Array }): void {
  account.data.fill(0, BALANCES_START, LENDING_ACCOUNT_END);
}

function clearSlot(data: Uint8Array, index: number): void {
  const start = BALANCES_START + index * BALANCE_SIZE;
  data.fill(0, start, start + BALANCE_SIZE);
}

function bankBytes(slot: Uint8Array): Uint8Array {
  return slot.subarray(BANK_KEY, BANK_KEY + 32);
}

const START = placeOf(marginfiAccountLayout, 'healthCache').offset;
const HEALTHY = 1;
const ENGINE_OK = 2;
const ORACLE_OK = 4;
const EMODE_BOOSTED = 8;
/**
 * What this and the two versions before it call themselves.
 * @see marginfi-v2 programs/marginfi/src/constants.rs `PROGRAM_VERSION`
 */
export const PROGRAM_VERSION = 3;

const cacheFields = defineView(
  healthCache,
  `
    assetValue, liabilityValue, assetValueMaint, liabilityValueMaint, assetValueEquity, liabilityValueEquity, timestamp,
    flags, mrgnErr, internalErr, errIndex, programVersion, internalLiqErr, internalBankruptcyErr
  `,
);

/** Whether emode raised all collateral when the risk engine last wrote down what it found. */
export function isEmodeBoosted(account: AccountState): boolean {
  return (cacheFields(account.data, START).flags & EMODE_BOOSTED) !== 0;
}

/** What a run of the risk engine leaves on the account. Made apart, and written when the instruction gets that far. */
export class HealthCache {
  readonly data = new Uint8Array(healthCache.fixedSize);
  readonly fields = cacheFields(this.data);

  setPrice(index: number, price: number): void {
    new DataView(this.data.buffer).setFloat64(placeOf(healthCache, `prices.${index}`).offset, price, true);
  }

  setHealthy(isHealthy: boolean): void {
    this.#setFlag(HEALTHY, isHealthy);
  }

  setEngineOk(isOk: boolean): void {
    this.#setFlag(ENGINE_OK, isOk);
  }

  setOracleOk(isOk: boolean): void {
    this.#setFlag(ORACLE_OK, isOk);
  }

  setEmodeBoosted(isBoosted: boolean): void {
    this.#setFlag(EMODE_BOOSTED, isBoosted);
  }

  writeTo(account: AccountState): void {
    account.data.set(this.data, START);
  }

  #setFlag(flag: number, isSet: boolean): void {
    this.fields.flags = isSet ? this.fields.flags | flag : this.fields.flags & ~flag;
  }
}

const recordFields = defineView(
  liquidationRecordLayout,
  `
    key, marginfiAccount, recordPayer, liquidationReceiver, cache.assetValueMaint, cache.liabilityValueMaint,
    cache.assetValueEquity, cache.liabilityValueEquity
  `,
);
const ENTRIES = placeOf(liquidationRecordLayout, 'entries');
const LAST = placeOf(liquidationRecordLayout, 'entries.3');
const placeInLast = (field: string): number => placeOf(liquidationRecordLayout, `entries.3.${field}`).offset;

/** What the program keeps of an account's liquidations in receivership. */
export type LiquidationRecordState = ReturnType<typeof recordFields> & { readonly data: Uint8Array };

export const LIQUIDATION_RECORD = {
  discriminator: liquidationRecordLayout.discriminator,
  view: (data: Uint8Array): LiquidationRecordState => Object.assign(recordFields(data), { data }),
} as const;

/** Moves the entries up by one, so that the oldest comes last, and writes the new one over the amounts and time of it. */
export function recordLiquidation(
  record: LiquidationRecordState,
  entry: { readonly seizedUsd: number; readonly repaidUsd: number; readonly unixTimestamp: bigint },
): void {
  const { offset, type } = ENTRIES;
  const size = LAST.type.fixedSize;
  const oldest = record.data.slice(offset, offset + size);
  record.data.copyWithin(offset, offset + size, offset + type.fixedSize);
  record.data.set(oldest, LAST.offset);
  const view = new DataView(record.data.buffer, record.data.byteOffset);
  view.setFloat64(placeInLast('assetAmountSeized'), entry.seizedUsd, true);
  view.setFloat64(placeInLast('liabAmountRepaid'), entry.repaidUsd, true);
  view.setBigInt64(placeInLast('timestamp'), entry.unixTimestamp, true);
}

/** What every event about an account begins with. */
export function accountEventHeader(account: Loader<AccountState>, signer: NamedAccount) {
  const state = account.load();
  return {
    signer: signer.account.address,
    marginfiAccount: account.account.address,
    marginfiAccountAuthority: readAddress(state.authority),
    marginfiGroup: readAddress(state.group),
  };
}
