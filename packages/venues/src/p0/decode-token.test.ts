import { MARGINFI_PROGRAM, mintLayout, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, tokenAccountLayout } from '@lending/programs';
import { type Address, address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { BANK, bankAccount, VAULT } from '#testing/made-bank.ts';
import { decodeBank } from './decode-bank.ts';
import { readTokenProgram, readVaultAmount } from './decode-token.ts';

const MINT: Address = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const bank = decodeBank(bankAccount({ mint: MINT }), MARGINFI_PROGRAM);
const none = { isSome: false, value: BANK };

function vault(mint = MINT, owner = TOKEN_PROGRAM, extra = 0) {
  const bytes = tokenAccountLayout.encode({
    mint,
    owner: BANK,
    amount: 42n,
    delegate: none,
    state: 1,
    isNative: { isSome: false, value: 0n },
    delegatedAmount: 0n,
    closeAuthority: none,
  });
  return { address: VAULT, owner, data: Uint8Array.from([...bytes, ...new Uint8Array(extra)]) };
}

function mint(isInitialized: boolean, owner = TOKEN_PROGRAM) {
  const data = mintLayout.encode({
    mintAuthority: none,
    supply: 0n,
    decimals: 6,
    isInitialized,
    freezeAuthority: none,
  });
  return { address: MINT, owner, data: Uint8Array.from(data) };
}

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
