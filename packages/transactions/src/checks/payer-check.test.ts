import { findMarginfiAccount, MARGINFI_MAIN_GROUP, MARGINFI_PROGRAM } from '@lending/programs';
import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMadeMarket, type MadeMarket, WALLET } from '#testing/made-market.ts';
import { readMade } from '#testing/read-made.ts';
import { findActionRefusal } from './find-action-refusal.ts';
import { findPayerRefusal } from './payer-check.ts';

const REFUSED = { code: 'TOOL__INPUT_INVALID', context: { field: 'authority' } };
let market: MadeMarket;

beforeEach(() => {
  market = createMadeMarket();
  market.setBank(1);
  market.setAccount([]);
});

describe('findPayerRefusal', () => {
  it('lets wallets pay, those among them that hold nothing yet', async () => {
    expect(findPayerRefusal(await readMade(market, 'deposit', 1))).toBeNull();
    market.accounts.delete(WALLET);
    expect(findPayerRefusal(await readMade(market, 'deposit', 1))).toBeNull();
  });

  it('knows that no fee is taken from an account of a program', async () => {
    market.accounts.set(WALLET, { owner: MARGINFI_PROGRAM, data: new Uint8Array(), lamports: 10_000_000_000n });
    const state = await readMade(market, 'deposit', 1);
    expect(findPayerRefusal(state)).toMatchObject(REFUSED);
    const action = { kind: 'deposit', bank: state.target?.bank.address as Address, amount: 1n } as const;
    expect(findActionRefusal(state, action)).toMatchObject(REFUSED);
    expect(findActionRefusal(state, null)).toMatchObject(REFUSED);
  });

  it('knows that nobody signs for an address that a program derived', async () => {
    const [authority] = await findMarginfiAccount({ group: MARGINFI_MAIN_GROUP, authority: WALLET, index: 0 });
    const { accounts } = await readMade(market, 'deposit', 1);
    expect(findPayerRefusal({ accounts, authority })).toMatchObject(REFUSED);
  });
});
