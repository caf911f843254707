import { createMessage, type Message } from '@lending/events';
import { anyAddress } from '@lending/fakes';

/** Of a hundred, how many series are P0's own banks; the others are banks on venues and reserves, whose figures have 18 decimals. */
const BANKS_OF_HUNDRED = 40;
const START_MS = Date.UTC(2025, 10, 1);
const SLOT_MS = 400;

export const SERIES = 100;
export const YEAR_MS = 365 * 86_400_000;

/** What is loaded sample by sample: a hundred million of them are a year. */
export const DENSE_SAMPLES: SyntheticSamples = { series: SERIES, beatMs: YEAR_MS / 1_000_000 };

/** Samples that nobody measured, as wide as real ones: `nth` counts all of them in order of time, one series after the other. */
export interface SyntheticSamples {
  readonly series: number;
  readonly beatMs: number;
}

const addresses = new Map<number, string>();

export function addressOf(series: number): string {
  const known = addresses.get(series) ?? anyAddress(10_000 + series);
  addresses.set(series, known);
  return known;
}

export function timeMsOf({ series, beatMs }: SyntheticSamples, nth: number): number {
  return START_MS + Math.round(Math.floor(nth / series) * beatMs);
}

export function isBank(series: number): boolean {
  return series % 100 < BANKS_OF_HUNDRED;
}

export function messageOf(samples: SyntheticSamples, nth: number): Message<'rate.sampled.v1'> {
  const series = nth % samples.series;
  const address = addressOf(series);
  const timeMs = timeMsOf(samples, nth);
  const payload = payloadOf(series, Math.floor(nth / samples.series));
  const slot = BigInt(Math.floor(timeMs / SLOT_MS));
  const message = createMessage({
    topic: 'rate.sampled.v1',
    key: address,
    slot,
    unixTimestamp: BigInt(Math.floor(timeMs / 1000)),
    source: 'localnet',
    payload: { ...payload, bank: address },
  });
  return { ...message, time: new Date(timeMs).toISOString() };
}

function payloadOf(series: number, beat: number) {
  const wave = Math.sin(beat / 200 + series);
  const bank = isBank(series);
  // What I80F48 is written out to, and what the venues' scales come to.
  const decimals = bank ? 48 : 18;
  return {
    kind: bank ? ('bank' as const) : ('reserve' as const),
    venue: bank ? ('p0' as const) : ('kamino' as const),
    depositApr: digits(0.04 + wave / 50, decimals),
    borrowApr: digits(0.07 + wave / 50, decimals),
    nativeApr: null,
    emissionsDepositApr: null,
    emissionsBorrowApr: null,
    utilization: digits(0.6 + wave / 5, decimals),
    totalAssetsBase: String(1_000_000_000_000 + beat * 7919 + series),
    totalLiabilitiesBase: String(600_000_000_000 + beat * 6101 + series),
    availableLiquidityBase: String(400_000_000_000 + beat * 1811),
    assetShareValue: bank ? digits(1 + beat / 1e8, 48) : '1',
    liabilityShareValue: bank ? digits(1 + beat / 5e7, 48) : '1',
    exchangeRate: bank ? null : digits(1 + beat / 1e8, 18),
    nativeExchangeRate: null,
    slotMs: bank ? null : '392.5',
    priceUsd: digits(100 + wave, 9),
  };
}

/** A decimal of so many digits, the last ones as arbitrary as real ones are. */
function digits(value: number, decimals: number): string {
  const head = value.toFixed(Math.min(decimals, 15));
  const seed = Math.floor(value * 1e9);
  let tail = '';
  for (let nth = 1; tail.length < decimals - 15; nth += 1)
    tail += String((seed * (nth + 7)) % 999_983).padStart(6, '0');
  return head + tail.slice(0, Math.max(0, decimals - 15));
}
