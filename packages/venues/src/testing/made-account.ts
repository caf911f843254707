import { MARGINFI_PROGRAM, type MarginfiAccount, marginfiAccountLayout } from '@lending/programs';
import { type Address, address } from '@solana/kit';
import type { AccountBytes } from '#account.ts';
import { GROUP } from './made-bank.ts';

export const ACCOUNT: Address = address('CYXEgwbPHu2f9cY3mcUkinzDoDcsSan7myh1uBvYRbEw');
type Balance = MarginfiAccount['lendingAccount']['balances'][number];

/** The bytes of an account with the given balances in the slots they name. */
export function marginfiAccount(
  balances: Readonly<Record<number, Partial<Balance>>>,
  fields: Partial<MarginfiAccount> = {},
): AccountBytes {
  const empty = new Uint8Array(marginfiAccountLayout.fixedSize);
  empty.set(marginfiAccountLayout.discriminator);
  const zero = marginfiAccountLayout.decode(empty);
  const slots = zero.lendingAccount.balances.map((slot, index) => {
    const balance = balances[index];
    return balance === undefined ? slot : { ...slot, active: 1, ...balance };
  });
  const account = { ...zero, group: GROUP, ...fields, lendingAccount: { ...zero.lendingAccount, balances: slots } };
  return {
    address: ACCOUNT,
    owner: MARGINFI_PROGRAM,
    data: Uint8Array.from(marginfiAccountLayout.encode(account)),
  };
}
