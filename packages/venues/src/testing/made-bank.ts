import { I80F48_ONE } from '@lending/domain';
import { type Bank, bankLayout, MARGINFI_PROGRAM, NO_KEY } from '@lending/programs';
import { type Address, address } from '@solana/kit';
import type { AccountBytes } from '#account.ts';

export const BANK: Address = address('2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB');
export const GROUP: Address = address('4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8');
export const FEED: Address = address('Dpw1EAVrSB1ibxiDQyTAW6Zip3J4Btk2x4SgApQCeFbX');
export const VAULT: Address = address('7jaiZR5Sk8hdYN9MxTpczTcwbWpb5WEoxSANuUwveuat');

/** The bytes of an operational bank with the given fields. Only tests need banks that never were on a chain. */
export function bankAccount(
  fields: Partial<Omit<Bank, 'config'>> & { readonly config?: Partial<Bank['config']> } = {},
): AccountBytes {
  const empty = new Uint8Array(bankLayout.fixedSize);
  empty.set(bankLayout.discriminator);
  const zero = bankLayout.decode(empty);
  const bank: Bank = {
    ...zero,
    group: GROUP,
    mintDecimals: 6,
    assetShareValue: I80F48_ONE,
    liabilityShareValue: I80F48_ONE,
    liquidityVault: VAULT,
    ...fields,
    config: { ...zero.config, operationalState: 1, oracleSetup: 3, oracleKeys: keys(FEED), ...fields.config },
  };
  return { address: BANK, owner: MARGINFI_PROGRAM, data: Uint8Array.from(bankLayout.encode(bank)) };
}

function keys(first: Address): Address[] {
  return [first, NO_KEY, NO_KEY, NO_KEY, NO_KEY];
}
