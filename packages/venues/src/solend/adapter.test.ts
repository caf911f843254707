import { venueApy } from '@lending/domain';
import { SOLEND_MAIN_MARKET } from '@lending/programs';
import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { openDumps } from '#testing/account-dumps.ts';
import type { ReserveKeys } from '../reserve.ts';
import { solendAdapter } from './adapter.ts';
import { madeMarket, madeReserve, marketAccount, RESERVE, reserveAccount, USDC } from './testing/made-reserve.ts';
import { WAD } from './wads.ts';

const { isMissing, dumps } = openDumps(process.env.FIXTURES_DIR);
const keys: ReserveKeys = {
  venue: 'solend',
  address: RESERVE,
  market: SOLEND_MAIN_MARKET,
  mint: USDC,
  accounts: [RESERVE, SOLEND_MAIN_MARKET],
};
const RECEIPT = address('993dVFL2uXWYeoXuEBFXR4BijeXdTv4s6BzsCjJZuwqk');
const market = marketAccount(madeMarket());
const at = (slot: bigint, slotMicros = 500_000n) => ({ slot, unixTimestamp: 1_760_000_000n, slotMicros });

describe('solendAdapter', () => {
  it('reads a reserve, its interest brought to the slot', () => {
    const account = reserveAccount(madeReserve({ collateral: { mintPubkey: RECEIPT } }));
    const reading = solendAdapter.readReserve(keys, [account, market], at(1001n));
    // 8 % a year on 80 million for one slot of half a second; four fifths of it are the depositors'.
    const [interest, kept] = [101_471n, 81_177n];
    expect(reading).toMatchObject({
      keys,
      decimals: 6,
      receiptMint: RECEIPT,
      symbol: null,
      marketName: null,
      status: 'active',
      incentives: [],
      sizes: {
        depositsBase: 99_950_000_000_000n + kept,
        borrowsBase: 80_000_000_000_000n + interest,
        availableBase: 20_000_000_000_000n,
      },
      price: { usdE18: WAD, publishedAt: null },
      lastUpdate: { slot: 1000n, unixTimestamp: null },
    });
    expect(reading.limits.depositRoomBase).toBe(200_000_000_000_000n - reading.sizes.depositsBase);
    expect(reading.exchangeRateE18).toBeGreaterThan(1_110_555_555_555_555_555n);
  });

  it('takes a reserve as it is when it was refreshed after the slot it is asked for', () => {
    const reading = solendAdapter.readReserve(keys, [reserveAccount(madeReserve()), market], at(999n));
    expect(reading.sizes.borrowsBase).toBe(80_000_000_000_000n);
  });

  it('knows no price where none was ever stored', () => {
    const reserve = reserveAccount(madeReserve({ liquidity: { marketPrice: 0n }, smoothedMarketPrice: 0n }));
    expect(solendAdapter.readReserve(keys, [reserve, market], at(1000n)).price).toBeNull();
  });

  it.each([
    ['the reserve', [null, market]],
    ['its market', [reserveAccount(madeReserve()), null]],
    ['both', []],
  ])('fails where %s is missing', (_what, accounts) => {
    expect(() => solendAdapter.readReserve(keys, accounts, at(1000n))).toThrow(
      expect.objectContaining({ code: 'DECODE__ACCOUNT_MALFORMED' }),
    );
  });
});

/** Decimal text of a fraction of one, cut after 18 decimals. */
const truncated = (text: string) => BigInt(text.slice(2, 20).padEnd(18, '0'));

describe.skipIf(isMissing)('a real reserve (FIXTURES_DIR)', () => {
  it.each(dumps('solend', 'reserve').map((dump) => [dump.name, dump] as const))(
    '%s has the recorded rates',
    (_name, dump) => {
      const { account, expected, math } = dump;
      const real = { ...keys, address: account.address, accounts: [account.address, SOLEND_MAIN_MARKET] };
      const reading = solendAdapter.readReserve(real, [account, market], at(BigInt(expected.essentials.slot)));
      const { utilization, borrowApr, depositApr } = reading.rates;
      expect(utilization).toBe(truncated(math.utilizationRatio));
      // The program rounds each step down to 18 decimals, the SDK none.
      expect(truncated(math.borrowApr) - (borrowApr ?? 0n)).toBeLessThanOrEqual(2n);
      expect(truncated(math.supplyApr) - (depositApr ?? 0n)).toBeLessThanOrEqual(2n);
      // The SDK raises to the power in doubles, which costs it nine digits.
      expect(venueApy(Number(borrowApr) / 1e18, 'solend')).toBeCloseTo(Number(math.borrowApy), 7);
      expect(venueApy(Number(depositApr) / 1e18, 'solend')).toBeCloseTo(Number(math.supplyApy), 7);
    },
  );
});
