import { rateSampledSchema } from '@lending/events';
import { anyAddress, CHAIN_SECONDS } from '@lending/fakes';
import { describe, expect, it } from 'vitest';
import { NO_NATIVE_RATE } from '#native-rate.ts';
import { type MadeReserve, madeReading } from '#testing/made-venue.ts';
import { toReserveSample } from './reserve-sample.ts';

const RESERVE = anyAddress(1);
const sampleOf = (fields: Partial<MadeReserve> = {}, native = NO_NATIVE_RATE) =>
  rateSampledSchema.parse(toReserveSample(madeReading(RESERVE, fields), CHAIN_SECONDS, native));

describe('toReserveSample', () => {
  it('says what the reserve pays, takes and holds, exactly', () => {
    const native = { apr: 80_000_000_000_000_000n, exchangeRate: 1_100_000_000_000_000_000n };
    expect(sampleOf({ priceE18: 1_000_100_000_000_000_000n, pricedAt: CHAIN_SECONDS - 300n }, native)).toEqual({
      bank: RESERVE,
      kind: 'reserve',
      venue: 'kamino',
      depositApr: '0.04',
      borrowApr: '0.06',
      nativeApr: '0.08',
      emissionsDepositApr: '0.005',
      emissionsBorrowApr: null,
      utilization: '0.8',
      totalAssetsBase: '5000000',
      totalLiabilitiesBase: '4000000',
      availableLiquidityBase: '1000000',
      assetShareValue: '1',
      liabilityShareValue: '1',
      exchangeRate: '1.25',
      nativeExchangeRate: '1.1',
      slotMs: '400',
      priceUsd: '1.0001',
    });
  });

  it.each([
    { name: 'older than five minutes', priceE18: 10n ** 18n, pricedAt: CHAIN_SECONDS - 301n },
    { name: 'without a time', priceE18: 10n ** 18n, pricedAt: null },
    { name: 'that was never set', priceE18: 0n, pricedAt: CHAIN_SECONDS },
  ])('takes no price $name', ({ priceE18, pricedAt }) => {
    expect(sampleOf({ priceE18, pricedAt }).priceUsd).toBeNull();
  });

  it('knows no rate of a suspended venue, and what it holds', () => {
    expect(sampleOf({ status: 'suspended' })).toMatchObject({
      depositApr: null,
      borrowApr: null,
      emissionsDepositApr: null,
      totalAssetsBase: '5000000',
    });
    expect(sampleOf({ status: 'closed' }).depositApr).toBe('0.04');
  });

  it('says slot time in milliseconds, and none where the venue counts seconds', () => {
    const reading = madeReading(RESERVE, {}, { slotMicros: 387_597n });
    expect(toReserveSample(reading, CHAIN_SECONDS, NO_NATIVE_RATE).slotMs).toBe('387.597');
    const bySeconds = { ...reading, rates: { ...reading.rates, slotMicros: null } };
    expect(toReserveSample(bySeconds, CHAIN_SECONDS, NO_NATIVE_RATE).slotMs).toBeNull();
  });
});
