import { anyAddress } from '@lending/fakes';
import { describe, expect, it } from 'vitest';
import { madeSeenBank } from '#testing/made-swaps.ts';
import { banksOf, listMintPrices, listSwapPairs } from './swap-pairs.ts';

const [USDC, SOL, JTO] = [anyAddress(11), anyAddress(12), anyAddress(13)];
const NOW = { slot: 9n, unixTimestamp: 1_100n };

function listOf(banks: readonly ReturnType<typeof madeSeenBank>[]) {
  const prices = listMintPrices(banks, NOW);
  const names = new Map<string, string>([
    [USDC, 'USDC'],
    [SOL, 'SOL'],
    [JTO, 'JTO'],
  ]);
  const named = listSwapPairs(banks, prices).map((pair) => `${names.get(pair.inMint)} ${names.get(pair.outMint)}`);
  return { named, prices };
}

describe('listSwapPairs', () => {
  it('has the swap of what is borrowed into what is supplied, the most liquid debt first', () => {
    const { named } = listOf([
      madeSeenBank(anyAddress(1), USDC, { availableBase: 5n }),
      madeSeenBank(anyAddress(2), SOL, { availableBase: 9n }),
      madeSeenBank(anyAddress(3), JTO, { lendsOut: false, availableBase: 99n }),
    ]);
    expect(named.slice(0, 2).sort()).toEqual(['SOL JTO', 'SOL USDC']);
    expect(named.slice(2).sort()).toEqual(['USDC JTO', 'USDC SOL']);
  });

  it('has a pair of mints once, however many banks there are of them, and none of a mint for itself', () => {
    const { named } = listOf([
      madeSeenBank(anyAddress(1), USDC, { takesDeposits: false }),
      madeSeenBank(anyAddress(2), USDC, { takesDeposits: false }),
      madeSeenBank(anyAddress(3), SOL, { lendsOut: false }),
      madeSeenBank(anyAddress(4), SOL, { lendsOut: false }),
      madeSeenBank(anyAddress(5), USDC, { lendsOut: false }),
    ]);
    expect(named).toEqual(['USDC SOL']);
  });

  it('weighs what is lent by its price and by all banks that lend it', () => {
    const { named } = listOf([
      madeSeenBank(anyAddress(1), USDC, { availableBase: 100n, takesDeposits: false }),
      madeSeenBank(anyAddress(2), SOL, { availableBase: 2n, priceUsd: '30', takesDeposits: false }),
      madeSeenBank(anyAddress(3), SOL, { availableBase: 2n, priceUsd: '30', takesDeposits: false }),
      madeSeenBank(anyAddress(4), JTO, { lendsOut: false }),
    ]);
    expect(named).toEqual(['SOL JTO', 'USDC JTO']);
  });
});

describe('listMintPrices', () => {
  it('knows no price that is old, not positive, or not there', () => {
    const { prices } = listOf([
      madeSeenBank(anyAddress(1), USDC, { unixTimestamp: 799n }),
      madeSeenBank(anyAddress(2), SOL, { priceUsd: '0' }),
      madeSeenBank(anyAddress(3), JTO, { priceUsd: null }),
    ]);
    expect(prices.size).toBe(0);
    expect(banksOf({ key: 'a', inMint: USDC, outMint: SOL }, prices)).toBeNull();
  });

  it('believes P0’s own bank of a mint before others, and of equals the one read last', () => {
    const own = madeSeenBank(anyAddress(1), USDC, { priceUsd: '1.01', unixTimestamp: 1_000n });
    const newer = madeSeenBank(anyAddress(2), USDC, { priceUsd: '1.02', unixTimestamp: 1_001n });
    const other = madeSeenBank(anyAddress(3), USDC, { priceUsd: '1.03', unixTimestamp: 1_099n });
    const behind = { ...other, bank: { ...other.bank, venue: 'kamino' as const } };
    const prices = listMintPrices([behind, newer, own], NOW);
    expect(prices.get(USDC)).toMatchObject({ priceUsd: '1.02', priceE18: 1_020_000_000_000_000_000n });
    expect(banksOf({ key: 'a', inMint: USDC, outMint: USDC }, prices)).toEqual({
      key: 'a',
      in: newer.bank,
      out: newer.bank,
    });
  });
});
