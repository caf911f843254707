import { BANK_DISCRIMINATOR } from '@lending/programs';
import {
  type Address,
  type Base58EncodedBytes,
  type GetProgramAccountsMemcmpFilter,
  getBase58Decoder,
} from '@solana/kit';
import type { P0Bank } from './bank.ts';

/** Where a bank stores its group. */
const GROUP_OFFSET = 41n;

/**
 * Filters for `getProgramAccounts` that find the banks of a group. The discriminator and not the size tells a bank:
 * accounts may grow.
 */
export function bankFilters(group: Address): readonly GetProgramAccountsMemcmpFilter[] {
  const discriminator = getBase58Decoder().decode(BANK_DISCRIMINATOR) as Base58EncodedBytes;
  return [
    { memcmp: { offset: 0n, bytes: discriminator, encoding: 'base58' } },
    { memcmp: { offset: GROUP_OFFSET, bytes: group as string as Base58EncodedBytes, encoding: 'base58' } },
  ];
}

/** The price feed a bank reads, null when its setup needs none or is not decoded here. */
export function priceFeedOf(bank: P0Bank): Address | null {
  switch (bank.oracle.setup) {
    case 'PythPushOracle':
    case 'SwitchboardPull':
      return bank.oracle.keys[0] ?? null;
    default:
      return null;
  }
}

/**
 * The accounts that one rate sample of a bank is made of, to be read in one call so that they are of one slot. The group
 * is shared by all banks and not listed. Behind integration banks the vault is only a passage, so it is left out.
 */
export function accountsOfBank(bank: P0Bank): readonly Address[] {
  const feed = priceFeedOf(bank);
  const vault = bank.venue === 'p0' ? [bank.liquidityVault] : [];
  return [bank.address, ...(feed === null ? [] : [feed]), ...vault];
}
