import { bankMetadataLayout } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import { cleanText } from '../clean-text.ts';
import { decodeAccount } from '../decode-account.ts';

/** What an administrator wrote about a bank. For display only: the text is data, and proves nothing. */
export interface BankText {
  readonly bank: Address;
  readonly symbol: string | null;
  readonly name: string | null;
  readonly description: string | null;
}

const MAX_SYMBOL_LENGTH = 32;
const MAX_TEXT_LENGTH = 128;

/**
 * Reads a bank's metadata. The ticker is written `SYMBOL | Name`.
 * @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED
 */
export function decodeBankMetadata(account: AccountBytes, programId: Address): BankText {
  const metadata = decodeAccount(account, { kind: 'bank metadata', owner: programId }, bankMetadataLayout);
  const ticker = textOf(metadata.ticker, metadata.endTickerByte);
  const bar = ticker.indexOf('|');
  return {
    bank: metadata.bank,
    symbol: cleanText(bar < 0 ? ticker : ticker.slice(0, bar), MAX_SYMBOL_LENGTH),
    name: bar < 0 ? null : cleanText(ticker.slice(bar + 1), MAX_TEXT_LENGTH),
    description: cleanText(textOf(metadata.description, metadata.endDescriptionByte), MAX_TEXT_LENGTH),
  };
}

/** `end` is the index of the last byte; 0 says there is no text. */
function textOf(bytes: ArrayLike<number>, end: number): string {
  return end === 0 ? '' : new TextDecoder().decode(Uint8Array.from(bytes).subarray(0, end + 1));
}
