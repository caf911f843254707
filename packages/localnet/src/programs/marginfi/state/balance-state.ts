import { type DebtPremium, hasLiability } from '@lending/domain';
import { balance, MAX_BALANCES, marginfiAccountLayout, placeOf } from '@lending/programs';
import { areBytesEqual } from '#engine/bytes.ts';
import { defineView } from '#programs/anchor/field.ts';

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
