import { createHash } from 'node:crypto';
import type { P0Bank } from '@lending/venues';
import { type Address, getAddressDecoder, getAddressEncoder } from '@solana/kit';
import type { MadeAccount } from '../positions/random-accounts.ts';

const SUPPLIED = 10n;
const LARGEST_DEBT = 1_000n;

/** Accounts that each supply ten tokens of one bank and owe up to a thousand of another: each stands elsewhere when prices fall. */
export function makeBorrowers(supply: P0Bank, debt: P0Bank, count: number): readonly MadeAccount[] {
  const bytesOf = ({ address }: P0Bank) => Buffer.from(getAddressEncoder().encode(address));
  return Array.from({ length: count }, (_, index) => ({
    address: labelled(`borrower ${index}`),
    authority: labelled(`authority of borrower ${index}`),
    balances: [
      { bank: supply, side: 'asset' as const, shares: sharesOf(supply, SUPPLIED) },
      {
        bank: debt,
        side: 'liability' as const,
        shares: sharesOf(debt, (LARGEST_DEBT * BigInt(index + 1)) / BigInt(count)),
      },
    ].toSorted((a, b) => Buffer.compare(bytesOf(b.bank), bytesOf(a.bank))),
  }));
}

/** Shares of a made bank are worth about a token's base unit each. */
function sharesOf({ decimals }: P0Bank, tokens: bigint): bigint {
  return (tokens * 10n ** BigInt(decimals)) << 48n;
}

function labelled(label: string): Address {
  return getAddressDecoder().decode(createHash('sha256').update(label).digest());
}
