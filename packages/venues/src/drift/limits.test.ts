import { describe, expect, it } from 'vitest';
import { limitsOf, withdrawGuardsOf } from './limits.ts';
import { spotMarket } from './testing/made-reserve.ts';

const ALL = { status: 'active', reasons: [], mayDeposit: true, mayWithdraw: true, mayBorrow: true } as const;
/** The markets of the reference's vectors: USDC on 2024-09-30, SOL a day before. */
const usdc = spotMarket({
  ...{ depositBalance: 75_458_907_553_732_602n, borrowBalance: 35_920_482_715_933_506n },
  ...{ cumulativeDepositInterest: 10_942_206_796n, cumulativeBorrowInterest: 12_051_835_006n },
  ...{ optimalUtilization: 700_000, withdrawGuardThreshold: 10n ** 12n },
  ...{ depositTokenTwap: 80_649_498_063_458n, borrowTokenTwap: 42_675_449_655_089n, utilizationTwap: 536_172n },
});
const sol = spotMarket({
  ...{ decimals: 9, depositBalance: 392_004_402_108_425n, borrowBalance: 130_724_495_244_459n },
  ...{ cumulativeDepositInterest: 10_322_526_111n, cumulativeBorrowInterest: 10_882_078_169n },
  ...{ optimalUtilization: 800_000, withdrawGuardThreshold: 5n * 10n ** 13n },
  ...{ depositTokenTwap: 410_979_328_562_884n, borrowTokenTwap: 142_015_798_556_201n, utilizationTwap: 346_339n },
});
const AMPLE = 10n ** 18n;

describe('withdrawGuardsOf', () => {
  it('guards the USDC market by its average', () => {
    expect(withdrawGuardsOf(usdc)).toEqual({
      maxUtilization: 768_086n,
      minDeposits: 60_487_123_547_594n,
      maxBorrows: 58_805_349_267_780n,
    });
  });

  it('guards the SOL market by its optimal utilisation', () => {
    expect(withdrawGuardsOf(sol)).toEqual({
      maxUtilization: 800_000n,
      minDeposits: 308_234_496_422_163n,
      maxBorrows: 222_945_312_084_024n,
    });
  });

  it('lets isolated pools lend more', () => {
    const { maxBorrows } = withdrawGuardsOf({ ...sol, poolId: 1 });
    expect(maxBorrows).toBe(142_015_798_556_201n + 404_647_567_639_116n / 3n);
  });

  it('keeps a fourteenth of the deposits from being lent, in isolated pools a twentieth', () => {
    const eager = { ...sol, optimalUtilization: 1_000_000, borrowTokenTwap: AMPLE };
    const deposits = 404_647_567_639_116n;
    expect(withdrawGuardsOf(eager).maxBorrows).toBe(deposits - deposits / 14n);
    expect(withdrawGuardsOf({ ...eager, poolId: 2 }).maxBorrows).toBe(deposits - deposits / 20n);
  });

  it('lets a third be lent at least, in isolated pools half', () => {
    const quiet = { ...sol, borrowTokenTwap: 0n, depositTokenTwap: 300_000_000_000_000n };
    expect(withdrawGuardsOf(quiet).maxBorrows).toBe(100_000_000_000_000n);
    expect(withdrawGuardsOf({ ...quiet, poolId: 4 }).maxBorrows).toBe(150_000_000_000_000n);
  });

  it('lets deposits below the threshold go', () => {
    const all = 10n ** 15n;
    expect(withdrawGuardsOf({ ...sol, withdrawGuardThreshold: all })).toMatchObject({
      minDeposits: 0n,
      maxBorrows: all,
    });
  });

  it('keeps what the loans need at the highest utilisation', () => {
    expect(withdrawGuardsOf({ ...usdc, depositTokenTwap: 0n, utilizationTwap: 1_200_000n })).toMatchObject({
      maxUtilization: 1_200_000n,
      minDeposits: 36_075_644_252_359n,
    });
  });
});

describe('limitsOf', () => {
  it('says what the guards leave', () => {
    expect(limitsOf(usdc, AMPLE, ALL)).toEqual({
      ...{ depositLimitBase: null, depositRoomBase: null, borrowLimitBase: null },
      borrowRoomBase: 15_514_576_164_949n,
      withdrawRoomBase: 22_081_573_557_724n,
    });
    expect(limitsOf(sol, AMPLE, ALL).withdrawRoomBase).toBe(96_413_071_216_953n);
  });

  it('lends and returns no more than the vault holds', () => {
    expect(limitsOf(usdc, 5n, ALL)).toMatchObject({ borrowRoomBase: 5n, withdrawRoomBase: 5n });
  });

  it('returns no more than is not lent', () => {
    const lent = { ...usdc, withdrawGuardThreshold: AMPLE };
    const unlent = 82_568_697_105_318n - 43_290_773_102_831n;
    expect(limitsOf(lent, AMPLE, ALL)).toMatchObject({ borrowRoomBase: unlent, withdrawRoomBase: unlent });
  });

  it('lends nothing while deposits are below what must be left', () => {
    const drained = { ...usdc, depositTokenTwap: 200_000_000_000_000n };
    expect(limitsOf(drained, AMPLE, ALL)).toMatchObject({ borrowRoomBase: 0n, withdrawRoomBase: 0n });
  });

  it('counts limits in deposits, and a share of them for loans', () => {
    const capped = { ...usdc, maxTokenDeposits: 90_000_000_000_000n, maxTokenBorrowsFraction: 5_000 };
    expect(limitsOf(capped, AMPLE, ALL)).toMatchObject({
      depositLimitBase: 90_000_000_000_000n,
      depositRoomBase: 90_000_000_000_000n - 82_568_697_105_318n,
      borrowLimitBase: 45_000_000_000_000n,
      borrowRoomBase: 45_000_000_000_000n - 43_290_773_102_831n,
    });
    expect(limitsOf({ ...capped, maxTokenDeposits: 1n }, AMPLE, ALL).depositRoomBase).toBe(0n);
  });

  it('has no room for what is not allowed', () => {
    const none = { ...ALL, mayDeposit: false, mayBorrow: false, mayWithdraw: false };
    expect(limitsOf(usdc, AMPLE, none)).toMatchObject({
      ...{ depositRoomBase: 0n, borrowRoomBase: 0n, withdrawRoomBase: 0n },
    });
  });
});
