import {
  getMarginfiAccountDecoder,
  getMarginfiAccountEncoder,
  getOrderDecoder,
  getOrderEncoder,
  MARGINFI_ACCOUNT_DISCRIMINATOR,
  MARGINFI_ACCOUNT_SIZE,
  MARGINFI_PROGRAM,
  type MarginfiAccount,
  ORDER_DISCRIMINATOR,
  ORDER_SIZE,
  type Order,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { type AccountContent, anyAddress, GROUP, zeroOf } from './accounts.ts';

/** Whose the made accounts are, unless it is said. */
export const AUTHORITY: Address = anyAddress(803);

/** A lending account without balances. */
export function lendingAccountContent(fields: Partial<MarginfiAccount> = {}): AccountContent {
  const zero = zeroOf(MARGINFI_ACCOUNT_SIZE, MARGINFI_ACCOUNT_DISCRIMINATOR, getMarginfiAccountDecoder());
  const account: MarginfiAccount = { ...zero, group: GROUP, authority: AUTHORITY, ...fields };
  return { owner: MARGINFI_PROGRAM, data: Uint8Array.from(getMarginfiAccountEncoder().encode(account)) };
}

/** A standing stop-loss of an account. */
export function orderContent(account: Address, fields: Partial<Order> = {}): AccountContent {
  const zero = zeroOf(ORDER_SIZE, ORDER_DISCRIMINATOR, getOrderDecoder());
  const order: Order = { ...zero, marginfiAccount: account, ...fields };
  return { owner: MARGINFI_PROGRAM, data: Uint8Array.from(getOrderEncoder().encode(order)) };
}
