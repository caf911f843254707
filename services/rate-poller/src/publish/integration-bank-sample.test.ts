import { integerToI80F48 } from '@lending/domain';
import { rateSampledSchema } from '@lending/events';
import { anyAddress, bankContent } from '@lending/fakes';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeBank, type PriceReading } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { NO_NATIVE_RATE } from '#native-rate.ts';
import { type MadeReserve, madeReading } from '#testing/made-venue.ts';
import { toIntegrationBankSample } from './integration-bank-sample.ts';

const [BANK, RESERVE] = [anyAddress(1), anyAddress(2)];
const UNPRICED: PriceReading = { kind: 'unavailable', reason: 'feed_missing', programError: null };

function sampleOf({
  assetTag = 3,
  receipts = 1_000_000n,
  reserve = {} as Partial<MadeReserve> | null,
  price = UNPRICED,
  mintDecimals = 6,
} = {}) {
  const content = bankContent({
    mintDecimals,
    totalAssetShares: integerToI80F48(receipts),
    totalLiabilityShares: 0n,
    config: { assetTag },
  });
  const bank = decodeBank({ address: BANK, ...content }, MARGINFI_PROGRAM);
  const reading = reserve === null ? null : madeReading(RESERVE, reserve);
  return rateSampledSchema.parse(toIntegrationBankSample({ bank, price, reserve: reading, native: NO_NATIVE_RATE }));
}

describe('toIntegrationBankSample', () => {
  it('pays what its reserve pays, and holds what its receipts are worth', () => {
    expect(sampleOf()).toEqual({
      bank: BANK,
      kind: 'bank',
      venue: 'kamino',
      depositApr: '0.04',
      borrowApr: null,
      nativeApr: null,
      emissionsDepositApr: '0.005',
      emissionsBorrowApr: null,
      utilization: '0.8',
      totalAssetsBase: '1250000',
      totalLiabilitiesBase: '0',
      availableLiquidityBase: '900000',
      assetShareValue: '1',
      liabilityShareValue: '1',
      exchangeRate: '1.25',
      nativeExchangeRate: null,
      slotMs: '400',
      priceUsd: null,
    });
  });

  it('rounds what it holds down', () => {
    expect(sampleOf({ receipts: 3n }).totalAssetsBase).toBe('3');
  });

  it.each([
    { mintDecimals: 6, held: '1250' },
    { mintDecimals: 9, held: '1250000' },
    { mintDecimals: 11, held: '125000000' },
  ])('counts nine decimals of a Drift balance as the $mintDecimals of its mint', ({ mintDecimals, held }) => {
    expect(sampleOf({ assetTag: 4, mintDecimals }).totalAssetsBase).toBe(held);
  });

  it.each([
    { name: 'what it holds', receipts: 100n, reserve: {}, available: '125' },
    { name: 'what the reserve may pay out', receipts: 9n ** 9n, reserve: {}, available: '900000' },
    { name: 'what the reserve has', receipts: 9n ** 9n, reserve: { availableBase: 7n }, available: '7' },
  ])('can be left by no more than $name', ({ receipts, reserve, available }) => {
    expect(sampleOf({ receipts, reserve }).availableLiquidityBase).toBe(available);
  });

  it('knows no rate of a suspended venue', () => {
    const sample = sampleOf({ reserve: { status: 'suspended' } });
    expect(sample).toMatchObject({ depositApr: null, emissionsDepositApr: null, totalAssetsBase: '1250000' });
  });

  it('knows neither rates nor amounts when its reserve cannot be read', () => {
    expect(sampleOf({ reserve: null })).toMatchObject({
      depositApr: null,
      utilization: null,
      totalAssetsBase: null,
      availableLiquidityBase: null,
      exchangeRate: null,
      assetShareValue: '1',
    });
  });

  it('holds nothing while it has no receipts, whatever they are worth', () => {
    expect(sampleOf({ receipts: 0n, reserve: { exchangeRateE18: null } }).totalAssetsBase).toBe('0');
    expect(sampleOf({ receipts: 1n, reserve: { exchangeRateE18: null } }).totalAssetsBase).toBeNull();
  });

  it('has the price of one token, fresh or none', () => {
    const band = { spot: 1n, low: 1n, high: 1n };
    const price: PriceReading = {
      kind: 'priced',
      priceUsd: '150',
      emaPriceUsd: '149',
      lowUsd: '149',
      highUsd: '151',
      fixed: { ...band, ema: band },
      tokensPerUnit: 5n,
      publishTime: 1n,
      isStale: false,
      // Whoever acts refreshes the reserve first; the feed is what dates the price.
      isVenueStale: true,
      programError: null,
    };
    expect(sampleOf({ price }).priceUsd).toBe('150');
    expect(sampleOf({ price: { ...price, isStale: true } }).priceUsd).toBeNull();
  });
});
