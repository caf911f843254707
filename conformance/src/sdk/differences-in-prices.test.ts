import type { PriceBand, RiskPrice } from '@lending/domain';
import { KLEND_PROGRAM, klendReserveLayout, MARGINFI_PROGRAM } from '@lending/programs';
import { type AccountBytes, decodeBank, loadRiskPrice, type Moment } from '@lending/venues';
import { address } from '@solana/kit';
import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { MOMENT, noiseAddress, type PythPrice, switchboardBytes } from './made-accounts.ts';
import { sdkBank, sdkPrice } from './official-sdk.ts';
import { plainBank, shown } from './plain-market.ts';
import type { MarketBank } from './random-market.ts';

const STEADY: PythPrice = { price: 100_000_000n, conf: 0n, emaPrice: 100_000_000n, emaConf: 0n, exponent: -8 };
const UNIT = 2 ** -48;
const NO_KEYS = Array.from({ length: 3 }, () => address('11111111111111111111111111111111'));

function bothPrices({ account, feed }: MarketBank, moment: Moment = MOMENT) {
  const ours = loadRiskPrice(decodeBank(account, MARGINFI_PROGRAM), feed === null ? [] : [feed], moment);
  return { ours, theirs: sdkPrice(sdkBank(account), feed) };
}

function spotOf(price: RiskPrice): PriceBand {
  if (price.kind !== 'loaded' || typeof price.spot === 'string') throw new Error('there is no price');
  return price.spot;
}

/** A klend reserve refreshed in this slot, with so much liquidity for so many receipts. */
function reserveOf(liquidity: bigint, receipts: bigint): AccountBytes {
  const bytes = new Uint8Array(klendReserveLayout.fixedSize);
  bytes.set(klendReserveLayout.discriminator);
  const empty = klendReserveLayout.decode(bytes);
  const reserve = {
    ...empty,
    lastUpdate: { ...empty.lastUpdate, slot: MOMENT.slot },
    liquidity: { ...empty.liquidity, totalAvailableAmount: liquidity },
    collateral: { ...empty.collateral, mintTotalSupply: receipts },
  };
  const data = Uint8Array.from(klendReserveLayout.encode(reserve));
  return { address: noiseAddress('reserve'), owner: KLEND_PROGRAM, data };
}

describe('prices the official SDK is known to read otherwise', () => {
  it('moves a price of Switchboard by what the bank says, where the SDK takes the deviation, and always 5 %', () => {
    const bank = plainBank('deviating', { config: { oracleSetup: 4, oracleMaxConfidence: 42_949_672 } });
    const feed = switchboardBytes('deviating', 4n * 10n ** 18n, 10n ** 16n);
    const { ours, theirs } = bothPrices({ account: bank.account, feed });
    const band = spotOf(ours);
    // A hundredth, and 5 %, of 4 USD.
    expect(band.spot - band.low).toBe((band.spot * 42_949_672n) / 4_294_967_295n);
    expect(theirs.priceRealtime.confidence.toString()).toBe('0.2');
  });

  it('values nothing at an interval above the limit of the bank, where the SDK caps it', () => {
    // 2.12 × 5 % is more than the 10 % that 0 stands for.
    const { ours, theirs } = bothPrices(plainBank('unsure', {}, { ...STEADY, conf: 5_000_000n, emaConf: 5_000_000n }));
    const tooWide = 'OracleMaxConfidenceExceeded';
    expect(ours).toMatchObject({ spot: tooWide, ema: tooWide });
    expect(theirs.priceRealtime.lowestPrice.toString()).toBe('0.95');
  });

  it("multiplies by what a reserve's receipt is worth, where the SDK gives the price of the token", () => {
    const reserve = reserveOf(3_000_000n, 2_000_000n);
    const config = {
      oracleSetup: 6,
      assetTag: 3,
      oracleKeys: [noiseAddress('feed receipts'), reserve.address, ...NO_KEYS],
    };
    const { account, feed } = plainBank('receipts', { config }, STEADY);
    const ours = loadRiskPrice(decodeBank(account, MARGINFI_PROGRAM), [feed, reserve], MOMENT);
    expect(shown(spotOf(ours).spot).toString()).toBe('1.5');
    expect(sdkPrice(sdkBank(account), feed).priceRealtime.price.toString()).toBe('1');
  });

  it('counts a stale feed as failed, where the SDK takes any', () => {
    const later = { ...MOMENT, unixTimestamp: MOMENT.unixTimestamp + 301n };
    const { ours, theirs } = bothPrices(plainBank('stale', {}, STEADY), later);
    expect(ours).toEqual({ kind: 'failed', error: 'PythPushStalePrice' });
    expect(theirs.priceRealtime.price.toString()).toBe('1');
  });

  it.each([3, 4])(
    'gives a feed of setup %i no time where the bank gives none, where the SDK gives a minute',
    (oracleSetup) => {
      const { account } = plainBank('no age', { config: { oracleSetup, oracleMaxAge: 0 } });
      expect(decodeBank(account, MARGINFI_PROGRAM).oracle.maxAgeSeconds).toBe(0);
      expect(sdkBank(account).config.oracleMaxAge).toBe(60);
    },
  );

  it('reads a price of more than 53 bits to its last digit, where the SDK goes through a double', () => {
    const price = 2n ** 53n + 1n;
    const { ours, theirs } = bothPrices(plainBank('long', {}, { ...STEADY, price, exponent: -9 }));
    const lost = new BigNumber(`${price}`).shiftedBy(-9).minus(theirs.priceRealtime.price);
    expect(lost.toFixed()).toBe('0.000000001');
    expect(
      shown(spotOf(ours).spot)
        .minus(new BigNumber(`${price}`).shiftedBy(-9))
        .abs()
        .lte(UNIT),
    ).toBe(true);
  });
});
