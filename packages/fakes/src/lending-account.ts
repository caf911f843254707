import {
  MARGINFI_PROGRAM,
  type MarginfiAccount,
  marginfiAccountLayout,
  type Order,
  orderLayout,
  type RebalanceOrder,
  rebalanceOrderLayout,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { type AccountContent, anyAddress, GROUP, zeroOf } from './accounts.ts';

/** Whose the made accounts are, unless it is said. */
export const AUTHORITY: Address = anyAddress(803);

/** A lending account without balances. */
export function lendingAccountContent(fields: Partial<MarginfiAccount> = {}): AccountContent {
  const zero = zeroOf(marginfiAccountLayout.fixedSize, marginfiAccountLayout.discriminator, marginfiAccountLayout);
  const account: MarginfiAccount = { ...zero, group: GROUP, authority: AUTHORITY, ...fields };
  return { owner: MARGINFI_PROGRAM, data: Uint8Array.from(marginfiAccountLayout.encode(account)) };
}

/** A standing stop-loss of an account. */
export function orderContent(account: Address, fields: Partial<Order> = {}): AccountContent {
  const zero = zeroOf(orderLayout.fixedSize, orderLayout.discriminator, orderLayout);
  const order: Order = { ...zero, marginfiAccount: account, ...fields };
  return { owner: MARGINFI_PROGRAM, data: Uint8Array.from(orderLayout.encode(order)) };
}

/** A standing order of an account to rebalance. */
export function rebalanceOrderContent(account: Address, fields: Partial<RebalanceOrder> = {}): AccountContent {
  const zero = zeroOf(rebalanceOrderLayout.fixedSize, rebalanceOrderLayout.discriminator, rebalanceOrderLayout);
  const order: RebalanceOrder = { ...zero, marginfiAccount: account, ...fields };
  return { owner: MARGINFI_PROGRAM, data: Uint8Array.from(rebalanceOrderLayout.encode(order)) };
}
