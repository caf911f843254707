import type { P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';

/** The reserve, spot market or lending account behind an integration bank. */
export function venueAccountOf({ address, venueAccount }: P0Bank): Address {
  if (venueAccount === null) throw new TypeError(`The bank ${address} is on no other venue`);
  return venueAccount;
}

/** The obligation at Kamino or Save in which the bank's receipts lie. */
export function obligationOf({ address, integrationAccounts }: P0Bank): Address {
  const [, obligation] = integrationAccounts;
  if (obligation === undefined) throw new TypeError(`The bank ${address} has no obligation`);
  return obligation;
}
