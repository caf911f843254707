import { fromUiAmount } from '@lending/domain';
import { findMarginfiAccount, MARGINFI_MAIN_GROUP, MARGINFI_PROGRAM } from '@lending/programs';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMadeMarket, type MadeMarket, WALLET } from '#testing/made-market.ts';
import { readMade } from '#testing/read-made.ts';
import { partsOf } from './close-cap.ts';
import { findActionRefusal } from './find-action-refusal.ts';
import { findPayerRefusal } from './payer-check.ts';
import { shownAmount, shownAtLeast } from './shown-amount.ts';

describe('partsOf', () => {
  it('leaves what one call repays whole, and halves a unit more', () => {
    expect(partsOf(250_000n, 250_000n)).toEqual([250_000n]);
    expect(partsOf(250_001n, 250_000n)).toEqual([125_000n, 125_001n]);
    expect(partsOf(700_000n, 250_000n)).toEqual([233_333n, 233_333n, 233_334n]);
  });

  it('knows none where a call repays nothing', () => {
    expect(partsOf(5n, 0n)).toEqual([]);
  });

  it('adds up to the debt in parts that a price two percent higher still lets pass', () => {
    const amounts = fc.tuple(fc.bigInt(10n ** 6n, 10n ** 12n), fc.bigInt(1_001n, 900_000n));
    fc.assert(
      fc.property(amounts, ([max, thousandths]) => {
        const repaid = (max * thousandths) / 1_000n;
        const parts = partsOf(repaid, max);
        expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(repaid);
        // The last one takes what the division leaves, less than a unit of each.
        for (const part of parts) expect(part).toBeLessThanOrEqual((max * 98n) / 100n + BigInt(parts.length));
      }),
    );
  });
});

describe('shownAmount', () => {
  it('is exact up to fifteen digits, and rounded down beyond', () => {
    expect(shownAmount(1_234_567_890_123_45n, 6)).toEqual({ ui: 123456789.012345, raw: '123456789012345' });
    expect(shownAmount(9_999_999_999_999_999n, 9)).toEqual({ ui: 9999999.99999999, raw: '9999999999999999' });
    expect(shownAmount(0n, 9)).toEqual({ ui: 0, raw: '0' });
  });

  it('reads back as an amount that is no more, in every size and with any decimals', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.integer({ min: 0, max: 12 }), (base, decimals) => {
        const { ui } = shownAmount(base, decimals);
        const shortest = ui.toString();
        const read = fromUiAmount(shortest.includes('e') ? ui.toFixed(decimals) : shortest, decimals);
        expect(read).toBeLessThanOrEqual(base);
        expect(base - read).toBeLessThan(base / 10n ** 14n + 1n);
      }),
    );
  });
});

describe('shownAtLeast', () => {
  it('is never less than the amount, and exact where it can be', () => {
    expect(shownAtLeast(1_234_567n, 6)).toEqual({ ui: 1.234567, raw: '1234567' });
    expect(shownAtLeast(1_234_567_890_123_456_789n, 9)).toEqual({
      ui: 1_234_567_890.12346,
      raw: '1234567890123456789',
    });
  });
});

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
