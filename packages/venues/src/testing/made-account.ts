import { MARGINFI_PROGRAM, type MarginfiAccount } from '@lending/programs';
import { lendingAccountBytes, type MadeBalance } from '@lending/programs/testing/made-accounts.ts';
import { type Address, address } from '@solana/kit';
import type { AccountBytes } from '#account.ts';
import { GROUP } from './made-bank.ts';

export const ACCOUNT: Address = address('CYXEgwbPHu2f9cY3mcUkinzDoDcsSan7myh1uBvYRbEw');

/** An account with the given balances in the slots they name. */
export function marginfiAccount(
  balances: Readonly<Record<number, MadeBalance>>,
  fields: Partial<MarginfiAccount> = {},
): AccountBytes {
  return {
    address: ACCOUNT,
    owner: MARGINFI_PROGRAM,
    data: lendingAccountBytes(balances, { group: GROUP, ...fields }),
  };
}
