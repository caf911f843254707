import { formatVenue, symbolOfKnownMint } from '@lending/domain';
import type { BankWords } from '@lending/transactions';
import type { KnownBank } from './build-deps.ts';

/** How a bank is spoken of in labels. Only names of our own list come into them: what a mint calls itself is a stranger's text. */
export function wordsOf({ mint, venue }: Pick<KnownBank, 'mint' | 'venue'>): BankWords {
  const symbol = symbolOfKnownMint(mint) ?? `${mint.slice(0, 4)}…${mint.slice(-4)}`;
  return { symbol, venue: formatVenue(venue) };
}
