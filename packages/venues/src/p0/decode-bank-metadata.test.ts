import { bankMetadataLayout, MARGINFI_PROGRAM } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { BANK, GROUP } from '#testing/made-bank.ts';
import { decodeBankMetadata } from './decode-bank-metadata.ts';

const empty = new Uint8Array(bankMetadataLayout.fixedSize);
empty.set(bankMetadataLayout.discriminator);
const zero = bankMetadataLayout.decode(empty);

function decode(ticker: string, description = '') {
  const [tickerBytes, descriptionBytes] = [Buffer.from(ticker), Buffer.from(description)];
  const data = bankMetadataLayout.encode({
    ...zero,
    bank: BANK,
    ticker: tickerBytes,
    endTickerByte: Math.max(0, tickerBytes.length - 1),
    description: descriptionBytes,
    endDescriptionByte: Math.max(0, descriptionBytes.length - 1),
  });
  return decodeBankMetadata({ address: GROUP, owner: MARGINFI_PROGRAM, data: Uint8Array.from(data) }, MARGINFI_PROGRAM);
}

describe('decodeBankMetadata', () => {
  it('reads the symbol and the name of a ticker', () => {
    expect(decode('USDC | USD Coin', 'USD Coin | stablecoins | USDC | P0 | -')).toEqual({
      bank: BANK,
      symbol: 'USDC',
      name: 'USD Coin',
      description: 'USD Coin | stablecoins | USDC | P0 | -',
    });
  });

  it('reads a ticker without a name as a symbol', () => {
    expect(decode('USDC')).toMatchObject({ symbol: 'USDC', name: null });
  });

  it('has no symbol where there is no text, or none that can be seen', () => {
    expect(decode('')).toEqual({ bank: BANK, symbol: null, name: null, description: null });
    expect(decode('\u200b\u202e | ')).toMatchObject({ symbol: null, name: null });
  });

  it('stops at the last byte the account names', () => {
    const stale = Uint8Array.from(Buffer.from('SOLxxxx'));
    const data = bankMetadataLayout.encode({ ...zero, bank: BANK, ticker: stale, endTickerByte: 2 });
    const account = { address: GROUP, owner: MARGINFI_PROGRAM, data: Uint8Array.from(data) };
    expect(decodeBankMetadata(account, MARGINFI_PROGRAM).symbol).toBe('SOL');
  });

  it('survives bytes that are not text', () => {
    const data = bankMetadataLayout.encode({
      ...zero,
      bank: BANK,
      ticker: Uint8Array.of(0xff, 0xfe, 0x41),
      endTickerByte: 255,
    });
    const account = { address: GROUP, owner: MARGINFI_PROGRAM, data: Uint8Array.from(data) };
    expect(decodeBankMetadata(account, MARGINFI_PROGRAM).symbol).toMatch(/A$/);
  });
});
