import {
  MARGINFI_PROGRAM,
  MINT_EXTENSION,
  mintLayout,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  tokenAccountLayout,
  tokenMetadataLayout,
} from '@lending/programs';
import { type Address, address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { openDumps } from '#testing/account-dumps.ts';
import { readHolding, readMintText } from './read-holding.ts';

const [ACCOUNT, MINT] = [
  address('4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8'),
  address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
];
const none = { isSome: false, value: ACCOUNT };
const { isMissing, dumps } = openDumps(process.env.FIXTURES_DIR);

function tokenAccount(state: number, owner: Address = TOKEN_PROGRAM, extra = 0) {
  const bytes = tokenAccountLayout.encode({
    mint: MINT,
    owner: ACCOUNT,
    amount: 2n ** 64n - 1n,
    delegate: none,
    state,
    isNative: { isSome: false, value: 0n },
    delegatedAmount: 0n,
    closeAuthority: none,
  });
  return { address: ACCOUNT, owner, data: Uint8Array.from([...bytes, ...new Uint8Array(extra)]) };
}

/** A Token-2022 mint with one extension. */
function extendedMint(type: number, value: Uint8Array) {
  const mint = { mintAuthority: none, supply: 0n, decimals: 9, isInitialized: true, freezeAuthority: none };
  const header = Uint8Array.from([type, 0, value.length & 255, value.length >> 8]);
  const data = new Uint8Array(166 + header.length + value.length);
  data.set(mintLayout.encode(mint));
  data[165] = 1;
  data.set(header, 166);
  data.set(value, 170);
  return { address: MINT, owner: TOKEN_2022_PROGRAM, data };
}

const metadata = (name: string, symbol: string) =>
  Uint8Array.from(tokenMetadataLayout.encode({ updateAuthority: ACCOUNT, mint: MINT, name, symbol, uri: '' }));

describe('readHolding', () => {
  it('reads accounts of both programs, extended ones too', () => {
    const holding = { mint: MINT, owner: ACCOUNT, amountBase: 2n ** 64n - 1n, isFrozen: false };
    expect(readHolding(tokenAccount(1))).toEqual({ ...holding, tokenProgram: 'spl' });
    expect(readHolding(tokenAccount(1, TOKEN_2022_PROGRAM, 13))).toEqual({ ...holding, tokenProgram: 'token_2022' });
  });

  it('tells a frozen one', () => {
    expect(readHolding(tokenAccount(2))?.isFrozen).toBe(true);
  });

  it('is none for what is no token account', () => {
    expect(readHolding(tokenAccount(0))).toBeNull();
    expect(readHolding(tokenAccount(1, MARGINFI_PROGRAM))).toBeNull();
    expect(readHolding({ ...tokenAccount(1), data: new Uint8Array(82) })).toBeNull();
  });
});

describe('readMintText', () => {
  it('reads what the mint calls itself, made safe to show', () => {
    const mint = extendedMint(MINT_EXTENSION.tokenMetadata, metadata('Wen\u202e\nToken', `W${'e'.repeat(40)}`));
    expect(readMintText(mint)).toEqual({ decimals: 9, name: 'Wen Token', symbol: `W${'e'.repeat(31)}` });
  });

  it('knows no name where there is none, or one that is cut short', () => {
    const nameless = { decimals: 9, name: null, symbol: null };
    expect(readMintText(extendedMint(1, new Uint8Array(108)))).toEqual(nameless);
    expect(readMintText(extendedMint(MINT_EXTENSION.tokenMetadata, metadata('Wen', 'WEN').subarray(0, 70)))).toEqual(
      nameless,
    );
  });

  it('is none for what is no mint', () => {
    expect(readMintText({ ...extendedMint(1, new Uint8Array(8)), owner: MARGINFI_PROGRAM })).toBeNull();
    expect(readMintText({ address: MINT, owner: TOKEN_PROGRAM, data: new Uint8Array(82) })).toBeNull();
    expect(readMintText({ address: MINT, owner: TOKEN_PROGRAM, data: new Uint8Array(81) })).toBeNull();
  });
});

describe.skipIf(isMissing)('readMintText on a real mint (FIXTURES_DIR)', () => {
  it('reads what PYUSD says of itself', () => {
    const [mint] = dumps('spl-token', 'mint-pyusd');
    expect(mint && readMintText(mint.account)).toEqual({ decimals: 6, symbol: 'PYUSD', name: 'PayPal USD' });
  });
});
