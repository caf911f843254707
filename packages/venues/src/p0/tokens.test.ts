import {
  MARGINFI_PROGRAM,
  MINT_EXTENSION,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  tokenMetadataLayout,
  transferFeeConfigLayout,
} from '@lending/programs';
import { mintBytes, tokenAccountBytes } from '@lending/programs/testing/made-accounts.ts';
import { type Address, address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { openDumps } from '#testing/account-dumps.ts';
import { BANK, bankAccount, VAULT } from '#testing/made-bank.ts';
import { decodeBank } from './decode-bank.ts';
import { readTokenProgram, readVaultAmount } from './decode-token.ts';
import { readHolding, readMintText } from './read-holding.ts';
import { readTransferFee } from './read-transfer-fee.ts';

const MINT: Address = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const bank = decodeBank(bankAccount({ mint: MINT }), MARGINFI_PROGRAM);

function vault(mint = MINT, owner = TOKEN_PROGRAM, extra = 0) {
  const data = Uint8Array.from([...tokenAccountBytes({ mint, amount: 42n }), ...new Uint8Array(extra)]);
  return { address: VAULT, owner, data };
}

const mint = (isInitialized: boolean, owner = TOKEN_PROGRAM) => ({
  ...{ address: MINT, owner },
  data: mintBytes({ isInitialized }),
});

describe('readVaultAmount', () => {
  it('reads the amount, also of a Token-2022 account with extensions', () => {
    expect(readVaultAmount(bank, vault())).toBe(42n);
    expect(readVaultAmount(bank, vault(MINT, TOKEN_2022_PROGRAM, 13))).toBe(42n);
  });

  it('is unknown without the account, of another mint or program, or cut short', () => {
    expect(readVaultAmount(bank, null)).toBeNull();
    expect(readVaultAmount(bank, vault(BANK))).toBeNull();
    expect(readVaultAmount(bank, vault(MINT, MARGINFI_PROGRAM))).toBeNull();
    expect(readVaultAmount(bank, { ...vault(), data: vault().data.subarray(0, 164) })).toBeNull();
  });
});

describe('readTokenProgram', () => {
  it('is the owner of the mint', () => {
    expect(readTokenProgram(mint(true))).toBe('spl');
    expect(readTokenProgram(mint(true, TOKEN_2022_PROGRAM))).toBe('token_2022');
  });

  it('is unknown for what is no mint', () => {
    expect(readTokenProgram(null)).toBeNull();
    expect(readTokenProgram(mint(false))).toBeNull();
    expect(readTokenProgram(mint(true, MARGINFI_PROGRAM))).toBeNull();
    expect(readTokenProgram({ ...mint(true), data: new Uint8Array(81) })).toBeNull();
  });
});

describe('read holding', () => {
  const ACCOUNT = address('4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8');
  const { isMissing, dumps } = openDumps(process.env.FIXTURES_DIR);

  function tokenAccount(state: number, owner: Address = TOKEN_PROGRAM, extra = 0) {
    const bytes = tokenAccountBytes({ mint: MINT, owner: ACCOUNT, amount: 2n ** 64n - 1n, state });
    return { address: ACCOUNT, owner, data: Uint8Array.from([...bytes, ...new Uint8Array(extra)]) };
  }

  /** A Token-2022 mint with one extension. */
  function extendedMint(type: number, value: Uint8Array) {
    const header = Uint8Array.from([type, 0, value.length & 255, value.length >> 8]);
    const data = new Uint8Array(166 + header.length + value.length);
    data.set(mintBytes({ decimals: 9 }));
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
});

const KEY = address('11111111111111111111111111111111');
const older = { epoch: 100n, maximumFee: 5_000n, transferFeeBasisPoints: 50 };
const newer = { epoch: 200n, maximumFee: 9_000n, transferFeeBasisPoints: 80 };

/** A Token-2022 mint with another extension before the fee. */
function mintWith(fees: { older: typeof older; newer: typeof newer } | null, owner = TOKEN_2022_PROGRAM) {
  const value = transferFeeConfigLayout.encode({
    transferFeeConfigAuthority: KEY,
    withdrawWithheldAuthority: KEY,
    withheldAmount: 7n,
    olderTransferFee: fees?.older ?? older,
    newerTransferFee: fees?.newer ?? newer,
  });
  const base = mintBytes();
  const closeAuthority = [3, 0, 32, 0, ...new Uint8Array(32)];
  const fee = fees === null ? [] : [1, 0, value.length, 0, ...value];
  const data = Uint8Array.from([...base, ...new Uint8Array(165 - base.length), 1, ...closeAuthority, ...fee]);
  return { address: KEY, owner, data };
}

describe('readTransferFee', () => {
  it('takes the older fee until the newer one’s epoch', () => {
    const mint = mintWith({ older, newer });
    expect(readTransferFee(mint, 199n)).toEqual({ basisPoints: 50, maximumFeeBase: 5_000n });
    expect(readTransferFee(mint, 200n)).toEqual({ basisPoints: 80, maximumFeeBase: 9_000n });
  });

  it('finds none where the mint keeps nothing', () => {
    expect(readTransferFee(mintWith(null), 200n)).toBe(null);
    expect(readTransferFee(mintWith({ older, newer: { ...newer, transferFeeBasisPoints: 0 } }), 200n)).toBe(null);
    expect(readTransferFee(mintWith({ older, newer }, TOKEN_PROGRAM), 200n)).toBe(null);
    expect(readTransferFee(null, 200n)).toBe(null);
  });

  it('finds none in a mint whose bytes end before the extension does', () => {
    const { data, ...mint } = mintWith({ older, newer });
    for (let length = 0; length < data.length; length += 1)
      expect(readTransferFee({ ...mint, data: data.subarray(0, length) }, 200n)).toBe(null);
  });
});
