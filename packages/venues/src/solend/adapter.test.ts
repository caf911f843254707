import { venueApy } from '@lending/domain';
import { SOLEND_MAIN_MARKET } from '@lending/programs';
import { type Address, address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { openDumps } from '#testing/account-dumps.ts';
import type { AccountBytes } from '../account.ts';
import type { ReserveKeys } from '../reserve.ts';
import type { AccountSearch } from '../venue-adapter.ts';
import { solendAdapter } from './adapter.ts';
import { decodeMarket, decodeReserve } from './decode-reserve.ts';
import { discoverReserves } from './discovery.ts';
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

const MAIN_OWNER = address('5pHk2TmnqQzRF9L6egy5FfiyBgS7G9cMZ5RFaJAvghzw');
const SOMEBODY = address('8PbodeaosQP19SjYFx855UMqWxH2HynZLdBXmsrbac36');
const OTHER_MARKET = address('DZ4KceEwWw9FuH4Q94rWupWsmQTFLxHZXzfKD4T6UDjo');
const OTHER_RESERVE = address('5suXmvdbKQ98VonxGCXqViuWRu8k4zgZRxndYKsH2fJg');
const SECOND_RESERVE = address('41pdcwEyWpCDWMLZWKDgL7rjg1GFbygnuX1LpTZXJFaA');

/** Answers searches from a handful of accounts, as a node does. */
function listFrom(accounts: readonly AccountBytes[], searches: AccountSearch[] = []) {
  return async (search: AccountSearch): Promise<readonly AccountBytes[]> => {
    searches.push(search);
    const matches = ({ data }: AccountBytes) =>
      search.filters.every((filter) =>
        filter.kind === 'size'
          ? data.length === filter.bytes
          : filter.bytes.every((byte, index) => data[filter.offset + index] === byte),
      );
    const { offset, length } = search.slice ?? { offset: 0, length: Number.POSITIVE_INFINITY };
    return accounts
      .filter((account) => account.owner === search.program && matches(account))
      .map((account) => ({ ...account, data: account.data.subarray(offset, offset + length) }));
  };
}

const noReject = (reserve: Address) => expect.unreachable(`${reserve} was rejected`);

describe('discoverReserves', () => {
  const accounts = [
    marketAccount(madeMarket({ owner: MAIN_OWNER })),
    marketAccount(madeMarket({ owner: SOMEBODY }), OTHER_MARKET),
    reserveAccount(madeReserve()),
    reserveAccount(madeReserve(), SECOND_RESERVE),
    reserveAccount(madeReserve({ lendingMarket: OTHER_MARKET }), OTHER_RESERVE),
  ];

  it('finds the reserves of trusted markets, with the accounts they are read from', async () => {
    expect(await discoverReserves(listFrom(accounts), noReject)).toEqual([
      { ...keys, address: SECOND_RESERVE, accounts: [SECOND_RESERVE, SOLEND_MAIN_MARKET] },
      keys,
    ]);
  });

  it('leaves out accounts that are not set up', async () => {
    const unset = reserveAccount({ ...madeReserve(), version: 0 }, SECOND_RESERVE);
    const found = await discoverReserves(listFrom([marketAccount(madeMarket({ owner: MAIN_OWNER })), unset]), noReject);
    expect(found).toEqual([]);
  });

  it('tells of a reserve that came cut short, and goes on', async () => {
    const cut = { ...reserveAccount(madeReserve(), SECOND_RESERVE), data: Uint8Array.of(1) };
    const list = async (search: AccountSearch) =>
      search.slice?.length === 0
        ? [marketAccount(madeMarket({ owner: MAIN_OWNER }))]
        : [cut, reserveAccount(madeReserve())];
    const rejected: Address[] = [];
    const found = await discoverReserves(list, (reserve) => rejected.push(reserve));
    expect(rejected).toEqual([SECOND_RESERVE]);
    expect(found.map(({ address: reserve }) => reserve)).toEqual([RESERVE]);
  });
});

const read = (fields: Parameters<typeof madeReserve>[0]) => decodeReserve(reserveAccount(madeReserve(fields)));
const ofAnotherLength = expect.objectContaining({ code: 'DECODE__ACCOUNT_MALFORMED' });
const malformed = expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' });

describe('decodeReserve', () => {
  it('reads what older programs left at zero as the program does', () => {
    const reserve = read({
      maxUtilizationRate: 0,
      superMaxBorrowRate: 0n,
      maxLiquidationBonus: 0,
      maxLiquidationThreshold: 0,
      attributedBorrowLimitOpen: 0n,
      attributedBorrowLimitClose: 0n,
      config: { liquidationBonus: 5, liquidationThreshold: 80, protocolLiquidationFee: 200 },
    });
    expect(reserve).toMatchObject({
      maxUtilizationRate: 80,
      superMaxBorrowRate: 50n,
      maxLiquidationBonus: 5,
      maxLiquidationThreshold: 80,
      attributedBorrowLimitOpen: 2n ** 64n - 1n,
      attributedBorrowLimitClose: 2n ** 64n - 1n,
    });
    expect(reserve.config.protocolLiquidationFee).toBe(50);
  });

  it('leaves what is in range as it is', () => {
    const fields = {
      maxUtilizationRate: 96,
      superMaxBorrowRate: 51n,
      maxLiquidationBonus: 6,
      maxLiquidationThreshold: 81,
      attributedBorrowLimitOpen: 1n,
      attributedBorrowLimitClose: 2n,
    };
    const config = { liquidationBonus: 5, liquidationThreshold: 80, protocolLiquidationFee: 50 };
    const reserve = read({ ...fields, config });
    expect(reserve).toMatchObject({ ...fields, config });
  });

  it.each([
    ['an optimum above all there is', { config: { optimalUtilizationRate: 101 } }],
    ['a greatest utilisation above all there is', { maxUtilizationRate: 101 }],
    ['a falling first slope', { config: { minBorrowRate: 9 } }],
    ['a take above all there is', { config: { protocolTakeRate: 101 } }],
    ['decimals beyond the program’s powers of ten', { liquidity: { mintDecimals: 20 } }],
  ])('refuses %s', (_what, fields) => {
    expect(() => read(fields)).toThrow(malformed);
  });

  it('takes the terms that are the last to be taken', () => {
    const fields = { maxUtilizationRate: 100, liquidity: { mintDecimals: 19 } };
    const config = { optimalUtilizationRate: 100, minBorrowRate: 8, protocolTakeRate: 100 };
    expect(read({ ...fields, config })).toMatchObject({ maxUtilizationRate: 100, config });
  });

  it('refuses an obligation, which is longer', () => {
    const account = reserveAccount(madeReserve());
    const data = new Uint8Array(1_300);
    data.set(account.data);
    expect(() => decodeReserve({ ...account, data })).toThrow(ofAnotherLength);
  });

  it('refuses an account that is not set up', () => {
    expect(() => decodeReserve(reserveAccount({ ...madeReserve(), version: 0 }))).toThrow(
      expect.objectContaining({ code: 'DECODE__DISCRIMINATOR_MISMATCH' }),
    );
  });
});

describe('decodeMarket', () => {
  it('refuses a reserve, which is longer', () => {
    expect(() => decodeMarket(reserveAccount(madeReserve()))).toThrow(ofAnotherLength);
  });

  it('takes the owner for the risk authority that was never set', () => {
    const owner = madeReserve().liquidity.mintPubkey;
    expect(decodeMarket(marketAccount(madeMarket({ owner }))).riskAuthority).toBe(owner);
  });
});

describe.skipIf(isMissing)('a real reserve (FIXTURES_DIR)', () => {
  it.each(dumps('solend', 'reserve').map((dump) => [dump.name, dump] as const))(
    '%s has the recorded values',
    (_name, dump) => {
      const { account, expected } = dump;
      const reserve = decodeReserve(account);
      const { essentials } = expected;
      expect(reserve.lastUpdate).toEqual({ slot: BigInt(essentials.slot), stale: essentials.stale });
      expect(reserve.liquidity).toMatchObject({
        mintPubkey: essentials.mint,
        availableAmount: BigInt(essentials.availableAmount),
        borrowedAmountWads: BigInt(essentials.borrowedAmountWads.raw),
        cumulativeBorrowRateWads: BigInt(essentials.cumulativeBorrowRateWads.raw),
        marketPrice: BigInt(essentials.marketPrice.raw),
      });
      expect(reserve.collateral.mintTotalSupply).toBe(BigInt(essentials.collateralMintTotalSupply));
    },
  );
});
