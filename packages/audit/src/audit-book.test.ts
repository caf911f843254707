import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { createAuditBook } from './audit-book.ts';
import type { Comparison } from './comparison.ts';
import { ACCOUNT, BANK, DEBT_BANK } from './testing/made-states.ts';

const THIRD = address('Bohoc1ikHLD7xKJuzTyiTyCwzaL5N7ggJQu75A8mKYM8');
const rate = (off: bigint, bound = 0n): Comparison => ({
  figure: 'rates',
  field: 'cache.baseRate',
  banks: [BANK],
  account: null,
  ours: 100n + off,
  theirs: 100n,
  bound,
});
const health = (off: bigint, ...banks: Comparison['banks']): Comparison => ({
  ...rate(off),
  figure: 'health',
  field: 'healthCache.assetValue',
  banks,
  account: ACCOUNT,
});

describe('createAuditBook', () => {
  it('counts what was compared of each figure, and keeps the last difference', () => {
    const book = createAuditBook([]);
    expect(book.note([rate(0n), rate(-3n), rate(2n)], 7n)).toEqual([
      {
        bank: BANK,
        figure: 'rates',
        compared: 3n,
        differed: 2n,
        largestUnits: 3n,
        lastUnits: -3n,
        slot: 7n,
        agreedInRow: 0,
        unverifiedSince: 7n,
        lastDifference: { field: 'cache.baseRate', ours: 97n, theirs: 100n, bound: 0n, account: null, slot: 7n },
      },
    ]);
    expect(book.note([health(0n, BANK)], 8n)).toMatchObject([{ figure: 'health', compared: 1n, differed: 0n }]);
    expect(book.note([], 9n)).toEqual([]);
    expect(book.rows()).toHaveLength(2);
  });

  it('takes what is within its bound for agreement', () => {
    const book = createAuditBook([]);
    expect(book.note([rate(2n, 2n)], 7n)).toMatchObject([{ differed: 0n, largestUnits: 2n, unverifiedSince: null }]);
    expect(book.isUnverified(BANK)).toBe(false);
    book.note([rate(-3n, 2n)], 8n);
    expect(book.isUnverified(BANK)).toBe(true);
    expect(book.isUnverified(DEBT_BANK)).toBe(false);
  });

  it('heals after agreement in three slots in a row, over a restart too', () => {
    let book = createAuditBook([]);
    book.note([rate(1n)], 7n);
    // In the slot of the difference, and twice in one slot, it says nothing new.
    book.note([rate(0n)], 7n);
    book.note([rate(0n)], 8n);
    book.note([rate(0n)], 8n);
    book = createAuditBook(book.rows());
    book.note([rate(0n)], 9n);
    expect(book.isUnverified(BANK)).toBe(true);
    expect(book.note([rate(0n)], 10n)).toMatchObject([{ agreedInRow: 3, unverifiedSince: null }]);
    expect(book.isUnverified(BANK)).toBe(false);
  });

  it('heals by what would show the difference again: the same field, compared as closely', () => {
    const book = createAuditBook([]);
    book.note([health(5n, BANK)], 7n);
    const other = { ...health(0n, BANK), field: 'healthCache.liabilityValue' };
    const loose = { ...health(0n, BANK), bound: 5n };
    for (const slot of [8n, 9n, 10n, 11n]) book.note([other, loose], slot);
    expect(book.isUnverified(BANK)).toBe(true);
    for (const slot of [12n, 13n, 14n]) book.note([other, { ...loose, bound: 4n }], slot);
    expect(book.isUnverified(BANK)).toBe(false);
  });

  it('takes back what was found on a fork that lost, and nothing before it', () => {
    const book = createAuditBook([]);
    book.note([rate(1n)], 7n);
    book.note([health(1n, DEBT_BANK)], 9n);
    expect(book.takeBack(8n)).toMatchObject([{ bank: DEBT_BANK, unverifiedSince: null, differed: 1n }]);
    expect([book.isUnverified(BANK), book.isUnverified(DEBT_BANK)]).toEqual([true, false]);
    expect(book.takeBack(8n)).toEqual([]);
  });

  it('begins again to count at the next difference, and keeps since when', () => {
    const book = createAuditBook([]);
    book.note([rate(1n)], 7n);
    book.note([rate(0n)], 8n);
    book.note([rate(0n)], 9n);
    book.note([rate(1n)], 10n);
    expect(book.note([rate(0n)], 11n)).toMatchObject([{ agreedInRow: 1, unverifiedSince: 7n }]);
  });

  it('is unverified for any of its figures', () => {
    const book = createAuditBook([]);
    book.note([rate(0n), health(1n, BANK)], 7n);
    for (const slot of [8n, 9n, 10n, 11n]) book.note([rate(0n)], slot);
    expect(book.isUnverified(BANK)).toBe(true);
  });

  it('blames a total on those whose last one did not agree', () => {
    const book = createAuditBook([]);
    book.note([health(0n, BANK, THIRD)], 7n);
    expect(book.note([health(1n, BANK, DEBT_BANK, THIRD)], 8n).map(({ bank }) => bank)).toEqual([DEBT_BANK]);
  });

  it('blames it on all where all have agreed', () => {
    const book = createAuditBook([]);
    book.note([health(0n, BANK, THIRD)], 7n);
    expect(book.note([health(1n, BANK, THIRD)], 8n).map(({ bank }) => bank)).toEqual([BANK, THIRD]);
  });

  it('counts no agreement from before settings changed', () => {
    const book = createAuditBook([]);
    book.note([health(0n, BANK, THIRD)], 7n);
    const changedAt = (bank: string) => (bank === THIRD ? 8n : 0n);
    expect(book.note([health(1n, BANK, THIRD)], 9n, changedAt).map(({ bank }) => bank)).toEqual([THIRD]);
  });

  it('clears no other bank by a total that one in question is part of', () => {
    const book = createAuditBook([]);
    book.note([health(1n, BANK)], 7n);
    expect(book.note([health(0n, BANK, THIRD)], 8n).map(({ bank }) => bank)).toEqual([BANK]);
    expect(book.note([health(1n, BANK, THIRD)], 9n).map(({ bank }) => bank)).toEqual([BANK, THIRD]);
  });
});
