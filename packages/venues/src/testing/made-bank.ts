import { MARGINFI_PROGRAM } from '@lending/programs';
import { type BankFields, bankBytes, oracleKeys } from '@lending/programs/testing/made-accounts.ts';
import { type Address, address } from '@solana/kit';
import type { AccountBytes } from '#account.ts';

export const BANK: Address = address('2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB');
export const GROUP: Address = address('4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8');
export const FEED: Address = address('Dpw1EAVrSB1ibxiDQyTAW6Zip3J4Btk2x4SgApQCeFbX');
export const VAULT: Address = address('7jaiZR5Sk8hdYN9MxTpczTcwbWpb5WEoxSANuUwveuat');

/** An operational bank on a Pyth feed, with the given fields. */
export function bankAccount({ config, ...fields }: BankFields = {}): AccountBytes {
  const data = bankBytes({
    ...{ group: GROUP, liquidityVault: VAULT, ...fields },
    config: { oracleSetup: 3, oracleKeys: oracleKeys(FEED), ...config },
  });
  return { address: BANK, owner: MARGINFI_PROGRAM, data };
}
