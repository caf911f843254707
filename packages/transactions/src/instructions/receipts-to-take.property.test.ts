import { integerToI80F48 } from '@lending/domain';
import { divideWads, floorWads, kaminoLiquidityOfCTokens, toSf, WAD } from '@lending/venues';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ReceiptPrice, receiptsToTake } from './receipts-to-take.ts';

const RUNS = { numRuns: 2_000, seed: 20_261_121 };
const amounts = fc.bigInt({ min: 1n, max: 10n ** 13n });
const supplies = fc.bigInt({ min: 1_000n, max: 10n ** 15n });

/** What a venue pays for so many receipts, rounded down by its own arithmetic. */
interface Venue {
  readonly price: ReceiptPrice;
  readonly pays: (receipts: bigint) => bigint;
}

const kamino = fc
  .record({ cTokens: supplies, tokens: supplies, dust: fc.bigInt({ min: 0n, max: toSf(1n) - 1n }) })
  .map(({ cTokens, tokens, dust }): Venue => {
    const liquiditySf = toSf(tokens) + dust;
    return {
      price: { receipts: cTokens, tokens: liquiditySf, tokenUnit: toSf(1n) },
      pays: (receipts) => kaminoLiquidityOfCTokens({ liquiditySf, cTokens }, receipts),
    };
  });

const save = fc.bigInt({ min: WAD / 1_000n, max: WAD * 2n }).map(
  (rate): Venue => ({
    price: { receipts: rate, tokens: WAD, tokenUnit: 1n },
    pays: (receipts) => floorWads(divideWads(receipts * WAD, rate)),
  }),
);

describe.each([
  ['Kamino', kamino],
  ['Save', save],
])('receipts to take on %s', (_, venue) => {
  const PLENTY = integerToI80F48(10n ** 20n);

  it('pay at least what was asked for, and one less would not', () => {
    fc.assert(
      fc.property(venue, amounts, ({ price, pays }, amount) => {
        const receipts = receiptsToTake(amount, PLENTY, price);
        if (receipts === 'all') throw new TypeError('more than plenty');
        expect(pays(receipts)).toBeGreaterThanOrEqual(amount);
        expect(pays(receipts - 1n)).toBeLessThan(amount);
      }),
      RUNS,
    );
  });

  it('are all of a balance where it is worth just what was asked for, and never more than it where it is worth as much', () => {
    fc.assert(
      fc.property(venue, amounts, ({ price, pays }, held) => {
        const worth = pays(held);
        fc.pre(worth > 0n);
        const receipts = receiptsToTake(worth, integerToI80F48(held), price);
        if (receipts === 'all') return;
        expect(receipts).toBeLessThan(held);
        expect(pays(receipts)).toBe(worth);
      }),
      RUNS,
    );
  });

  it('are more than the balance where more was asked for, which the program refuses', () => {
    fc.assert(
      fc.property(venue, amounts, ({ price, pays }, held) => {
        expect(receiptsToTake(pays(held) + 1n, integerToI80F48(held), price)).toBeGreaterThan(held);
      }),
      RUNS,
    );
  });
});
