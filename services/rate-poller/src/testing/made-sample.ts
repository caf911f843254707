import type { RateSampled } from '@lending/events';
import { anyAddress, CHAIN_SECONDS } from '@lending/fakes';
import type { Sighting } from '#quarantine/judge-sample.ts';

/** A sample that nobody doubts. */
export function madeSample(fields: Partial<RateSampled> = {}): RateSampled {
  return {
    bank: anyAddress(1),
    kind: 'reserve',
    venue: 'kamino',
    depositApr: '0.04',
    borrowApr: '0.06',
    nativeApr: null,
    emissionsDepositApr: '0',
    emissionsBorrowApr: null,
    utilization: '0.8',
    totalAssetsBase: '5000000000000',
    totalLiabilitiesBase: '4000000000000',
    availableLiquidityBase: '1000000000000',
    assetShareValue: '1',
    liabilityShareValue: '1',
    exchangeRate: '1.25',
    nativeExchangeRate: null,
    slotMs: '400',
    priceUsd: '1',
    ...fields,
  };
}

/** A sighting `seconds` after the first, at 2.5 slots a second. */
export function madeSighting(seconds = 0, fields: Partial<RateSampled> = {}): Sighting {
  const slot = 1_000n + (BigInt(seconds) * 5n) / 2n;
  return { slot, unixTimestamp: CHAIN_SECONDS + BigInt(seconds), sample: madeSample(fields) };
}
