import { FRACTION_ONE, formatFraction, parseFraction, U64_MAX } from '@lending/domain';
import type { QuarantineReason, RateSampled } from '@lending/events';

/** What one reading says of one bank or reserve. */
export interface Sighting {
  readonly slot: bigint;
  /** Seconds, the chain's own clock at that slot. */
  readonly unixTimestamp: bigint;
  readonly sample: RateSampled;
}

/** A sighting that is believed. */
export interface Believed extends Sighting {
  /**
   * Seconds by which the chain's clock has fallen behind ours since it was last furthest ahead: a chain that stood still may catch up
   * by as much.
   */
  readonly behindSeconds: bigint;
}

/** Why a sighting is not believed. */
export interface Doubt {
  readonly reason: QuarantineReason;
  /** The value as read, and what was expected of it. */
  readonly detail: string;
  /** How long a change has to stay to be believed, besides being seen often enough; default: no longer. */
  readonly staysMs?: number;
}

/**
 * APRs above 10,000 % a year, and below none, are nobody's. P0's steepest curve charges 1000 % before fees, which a bank that is lent out
 * really asks for.
 */
const MAX_APR = 100n * FRACTION_ONE;
/** What depositors can have earned meanwhile, at the highest: 1000 % a year. */
const MAX_EARNED_APR = 10n * FRACTION_ONE;
/** A stake pool that was slashed has a yield below zero, and cannot lose more than all. */
const MIN_NATIVE_APR = -FRACTION_ONE;
/** All venues can report a little above one: bad debt, or fees that count as lent. */
const MAX_UTILIZATION = (11n * FRACTION_ONE) / 10n;
/** The token programs cannot mint more. */
const MAX_AMOUNT = U64_MAX;
/** A pool does not grow or shrink a thousandfold between two beats. */
const MAX_SIZE_FACTOR = 1_000n;
/** Pools smaller than this (a million tokens of six decimals, a thousand of nine) may: one deposit does it. */
const JUDGED_SIZE = 10n ** 12n;
/** Share values may fall this much (a small socialised loss, a rate set anew since it was estimated), in thousandths. */
const MAX_FALL = 10n;
/** And rise this much beyond what the highest rate earns: rewards paid in at once, an epoch's stake rewards. */
const MAX_RISE = 10n;
/** A share value that moves by more than this at once is nearly always nonsense, and has to stay for half an hour. Thousandths. */
const GRAVE_CHANGE = 200n;
const GRAVE_STAYS_MS = 1_800_000;
const THOUSAND = 1_000n;
/** How far the chain's clock may get ahead of ours between two beats, seconds. */
const CLOCK_SLACK = 120n;
const SECONDS_A_YEAR = 31_536_000n;

/** Values that cannot be, whatever was seen before and however often they come. */
export function findImpossible({ sample }: Sighting): Doubt | null {
  return (
    findOutside(sample.depositApr, 'deposit APR', 0n, MAX_APR, 'rate_out_of_range') ??
    findOutside(sample.borrowApr, 'borrow APR', 0n, MAX_APR, 'rate_out_of_range') ??
    findOutside(sample.nativeApr, 'native APR', MIN_NATIVE_APR, MAX_APR, 'rate_out_of_range') ??
    findOutside(sample.emissionsDepositApr, 'emissions for deposits', 0n, MAX_APR, 'rate_out_of_range') ??
    findOutside(sample.emissionsBorrowApr, 'emissions for borrows', 0n, MAX_APR, 'rate_out_of_range') ??
    findOutside(sample.utilization, 'utilisation', 0n, MAX_UTILIZATION, 'utilization_out_of_range') ??
    findImpossibleSize(sample.totalAssetsBase, 'total assets') ??
    findImpossibleSize(sample.totalLiabilitiesBase, 'total liabilities') ??
    findImpossibleSize(sample.availableLiquidityBase, 'available liquidity') ??
    findImpossiblePrice(sample.priceUsd) ??
    findNegativeShareValue(sample)
  );
}

/** Changes that are hard to believe until they stay: from what is believed to what was seen `elapsedMs` of our clock later. */
export function findImplausibleChange(before: Believed, now: Sighting, elapsedMs: number): Doubt | null {
  const elapsed = BigInt(Math.ceil(elapsedMs / 1_000));
  return (
    findSlotBack(before, now) ??
    findClockJump(before, now, elapsed) ??
    findSizeJump(before, now) ??
    findShareJump(before, now)
  );
}

/** A sighting as what is believed from now on. */
export function believe(before: Believed | null, now: Sighting, elapsedMs: number): Believed {
  if (before === null) return { ...now, behindSeconds: 0n };
  const ours = BigInt(Math.floor(elapsedMs / 1_000));
  const behind = before.behindSeconds + ours - (now.unixTimestamp - before.unixTimestamp);
  return { ...now, behindSeconds: behind > 0n ? behind : 0n };
}

function findOutside(
  text: string | null,
  name: string,
  min: bigint,
  max: bigint,
  reason: QuarantineReason,
): Doubt | null {
  if (text === null) return null;
  const value = parseFraction(text);
  if (value >= min && value <= max) return null;
  return { reason, detail: `${name} ${short(text)}, expected ${formatFraction(min)} to ${formatFraction(max)}` };
}

function findImpossibleSize(text: string | null, name: string): Doubt | null {
  if (text === null) return null;
  const value = BigInt(text);
  if (value >= 0n && value <= MAX_AMOUNT) return null;
  return { reason: 'size_out_of_range', detail: `${name} ${short(text)}, expected 0 to ${MAX_AMOUNT}` };
}

function findImpossiblePrice(text: string | null): Doubt | null {
  if (text === null || (!text.startsWith('-') && /[1-9]/.test(text))) return null;
  return { reason: 'price_out_of_range', detail: `price ${short(text)} USD, expected above 0` };
}

function findNegativeShareValue(sample: RateSampled): Doubt | null {
  for (const [name, text] of shareValuesOf(sample)) {
    if (text?.startsWith('-'))
      return { reason: 'share_value_fell', detail: `${name} ${short(text)}, expected at least 0` };
  }
  return null;
}

function findSlotBack(before: Believed, now: Sighting): Doubt | null {
  if (now.slot >= before.slot) return null;
  return { reason: 'slot_went_back', detail: `slot ${now.slot}, expected ${before.slot} or later` };
}

function findClockJump(before: Believed, now: Sighting, elapsed: bigint): Doubt | null {
  const latest = before.unixTimestamp + elapsed + before.behindSeconds + CLOCK_SLACK;
  if (now.unixTimestamp >= before.unixTimestamp && now.unixTimestamp <= latest) return null;
  const detail = `the chain's clock is at ${now.unixTimestamp} s, expected ${before.unixTimestamp} to ${latest}`;
  return { reason: 'clock_jump', detail };
}

function findSizeJump(before: Believed, now: Sighting): Doubt | null {
  for (const name of ['totalAssetsBase', 'totalLiabilitiesBase'] as const) {
    const [from, to] = [before.sample[name], now.sample[name]];
    if (from === null || to === null) continue;
    const [small, large] = ascending(BigInt(from), BigInt(to));
    if (large < JUDGED_SIZE || large <= MAX_SIZE_FACTOR * small) continue;
    return {
      reason: 'size_out_of_range',
      detail: `${name} ${short(to)}, expected within ${MAX_SIZE_FACTOR} times ${from}`,
    };
  }
  return null;
}

function findShareJump(before: Believed, now: Sighting): Doubt | null {
  const seconds = now.unixTimestamp - before.unixTimestamp;
  const earlier = new Map(shareValuesOf(before.sample));
  for (const [name, text] of shareValuesOf(now.sample)) {
    const from = earlier.get(name) ?? null;
    if (text === null || from === null) continue;
    const [was, is] = [parseFraction(from), parseFraction(text)];
    // From nothing any value may come.
    if (was === 0n) continue;
    const lowest = (was * (THOUSAND - MAX_FALL)) / THOUSAND;
    const earned = (was * MAX_EARNED_APR * seconds) / (SECONDS_A_YEAR * FRACTION_ONE);
    const highest = (was * (THOUSAND + MAX_RISE)) / THOUSAND + earned;
    const expected = `expected ${formatFraction(lowest)} to ${formatFraction(highest)}`;
    const detail = `${name} ${short(text)}, ${expected}`;
    const moved = is < was ? was - is : is - was;
    const stays = moved * THOUSAND > was * GRAVE_CHANGE ? { staysMs: GRAVE_STAYS_MS } : {};
    if (is < lowest) return { reason: 'share_value_fell', detail, ...stays };
    if (is > highest) return { reason: 'share_value_jumped', detail, ...stays };
  }
  return null;
}

function shareValuesOf(sample: RateSampled): readonly (readonly [string, string | null])[] {
  return [
    ['asset share value', sample.assetShareValue],
    ['liability share value', sample.liabilityShareValue],
    ['exchange rate', sample.exchangeRate],
    ['native exchange rate', sample.nativeExchangeRate],
  ];
}

function ascending(a: bigint, b: bigint): readonly [bigint, bigint] {
  return a < b ? [a, b] : [b, a];
}

/** Digits enough to know a number by. */
function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
