import { divideI80F48, type I80F48, I80F48_ONE, integerToI80F48, multiplyI80F48 } from '../i80f48.ts';
import { largerOf, smallerOf } from '../integers.ts';

/** What a bank is configured with; basis points, and seconds. 0 stands for the program's default where one is named. */
export interface BreakerTerms {
  /** Deviations that halt for the tiers 1 to 3; 0 for a tier that is not used. */
  readonly tiersBps: readonly [number, number, number];
  readonly tierSeconds: readonly [number, number, number];
  /** A breach so many durations of the last halt after its end is taken for its continuation. */
  readonly escalationMultiple: number;
  /** How much of a new price goes into the reference. */
  readonly emaAlphaBps: number;
  /** Default four hours. */
  readonly windowSeconds: number;
  /** Default 2,000 and 4,000. */
  readonly windowMaxUpBps: number;
  readonly windowMaxDownBps: number;
}

/** What the breaker remembers of a bank. Times in unix seconds, prices in USD as the risk engine takes them. */
export interface BreakerState {
  /** 0 while nothing is wrong; the halt's own times outlast it. */
  readonly tier: number;
  readonly tier3Trips: number;
  readonly haltStartedAt: bigint;
  readonly haltEndedAt: bigint;
  readonly lastObservedSlot: bigint;
  readonly lastSourceTime: bigint;
  readonly referencePrice: I80F48;
  readonly windowReferencePrice: I80F48;
  readonly windowStartedAt: bigint;
  /** Seconds of earlier halts for which no interest has been left out yet. */
  readonly frozenSecondsPending: bigint;
}

/** The circuit breaker of a bank that has one. */
export interface Breaker {
  readonly terms: BreakerTerms;
  readonly state: BreakerState;
  /** Number of the operational state that a broken bank had before; of no meaning for any other. */
  readonly preBreakState: number;
}

/** What of a breaker decides whether an action passes. */
export interface BreakerGate {
  readonly terms: Pick<BreakerTerms, 'tiersBps' | 'windowMaxUpBps' | 'windowMaxDownBps'>;
  readonly state: Pick<BreakerState, 'tier' | 'haltEndedAt' | 'referencePrice' | 'windowReferencePrice'>;
  readonly preBreakState: number;
}

/** A price that an instruction read: of the token times what a receipt is worth, and its half interval. */
export interface BreakerPrice {
  readonly price: I80F48;
  readonly confidence: I80F48;
  /** When the feed published it; 0 for a price that has no time. */
  readonly sourceTime: bigint;
}

export interface BreakerMoment {
  readonly unixTimestamp: bigint;
  readonly slot: bigint;
  /** Up to when the bank's interest is accrued. */
  readonly lastUpdate: bigint;
}

export type BreakerEvent =
  | { readonly kind: 'cleared'; readonly priorTier: number }
  | { readonly kind: 'tripped'; readonly tier: number; readonly deviationBps: bigint }
  /** The third halt of tier 3 in a row: until an administrator clears it. */
  | { readonly kind: 'broken' };

const MIN_SLOT_GAP = 2n;
/** A reference up to here divides by next to nothing: it is set again. */
const LEAST_REFERENCE = 1n << 20n;
const TRIPS_TO_BREAK = 3;
const MAX_SHIFT_BPS = 500;
const WINDOW_SECONDS = 14_400;
const WINDOW_MAX_UP_BPS = 2_000;
const WINDOW_MAX_DOWN_BPS = 4_000;
const ALL_BPS = integerToI80F48(10_000n);

/**
 * What a price that an instruction read makes of the breaker. Asked only of a bank whose breaker is on and not broken.
 * @returns the new state and what happened, in order; the same state where the price came too soon, or during a halt.
 * @see marginfi-v2 programs/marginfi/src/state/bank.rs `update_circuit_breaker`
 */
export function observePrice(
  state: BreakerState,
  terms: BreakerTerms,
  observed: BreakerPrice,
  moment: BreakerMoment,
): { readonly state: BreakerState; readonly events: readonly BreakerEvent[] } {
  const { unixTimestamp: now, slot } = moment;
  if (isHaltRunning(state, now)) return { state, events: [] };
  const cleared = clearIfOver(state, terms, now);
  const events: BreakerEvent[] = cleared === state ? [] : [{ kind: 'cleared', priorTier: state.tier }];
  const { price, sourceTime } = observed;
  const seeded = { referencePrice: price, windowReferencePrice: price, windowStartedAt: now };
  const seenAt = { lastObservedSlot: slot, ...(sourceTime === 0n ? {} : { lastSourceTime: sourceTime }) };
  if (cleared.referencePrice === 0n) return { state: { ...cleared, ...seeded, ...seenAt }, events };
  const isTooSoon = slot < cleared.lastObservedSlot + MIN_SLOT_GAP;
  const isSeen = sourceTime !== 0n && sourceTime <= cleared.lastSourceTime;
  if (isTooSoon || isSeen) return { state: cleared, events };
  const seen = { ...cleared, ...seenAt };
  if (seen.referencePrice <= LEAST_REFERENCE) return { state: { ...seen, ...seeded }, events };
  const judged = judgePrice(withWindow(seen, now), terms, observed, moment);
  return { state: judged.state, events: [...events, ...judged.events] };
}

/** Whether a halt lasts at a time, unix seconds. That it once ended at some time says nothing: the times outlast the tier. */
export function isHaltRunning({ tier, haltEndedAt }: Pick<BreakerState, 'tier' | 'haltEndedAt'>, now: bigint): boolean {
  return tier > 0 && now < haltEndedAt;
}

/**
 * Whether a price is so far from the references that nothing risky is done by it, halted or not. Changes nothing.
 * @see marginfi-v2 programs/marginfi/src/state/bank.rs `cb_price_gate`
 */
export function isPriceJump(
  { state, terms }: Pick<BreakerGate, 'state' | 'terms'>,
  observed: Pick<BreakerPrice, 'price' | 'confidence'>,
): boolean {
  const [firstTier] = terms.tiersBps;
  const hasReference = state.referencePrice > LEAST_REFERENCE && firstTier > 0;
  if (hasReference && deviationOf(observed, state.referencePrice) >= BigInt(firstTier)) return true;
  if (state.windowReferencePrice <= LEAST_REFERENCE) return false;
  return isBeyond(windowDeviation(observed, state.windowReferencePrice), terms);
}

/**
 * Between which prices, without an interval, nothing is refused: below `low` or at it, and at `high` or above, is too far. In USD as the
 * references are, for display; null where there is no reference.
 */
export function priceRangeOf({ state, terms }: BreakerGate): { readonly low: I80F48; readonly high: I80F48 } | null {
  const { referencePrice, windowReferencePrice } = state;
  const [firstTier] = terms.tiersBps;
  const ranges = [
    ...(referencePrice > LEAST_REFERENCE && firstTier > 0 ? [rangeRound(referencePrice, firstTier, firstTier)] : []),
    ...(windowReferencePrice > LEAST_REFERENCE
      ? [rangeRound(windowReferencePrice, mostDown(terms), mostUp(terms))]
      : []),
  ];
  if (ranges.length === 0) return null;
  return {
    low: ranges.map(({ low }) => low).reduce(largerOf),
    high: ranges.map(({ high }) => high).reduce(smallerOf),
  };
}

function rangeRound(reference: I80F48, downBps: number, upBps: number) {
  return {
    low: multiplyI80F48(reference, I80F48_ONE - partOf(downBps)),
    high: multiplyI80F48(reference, I80F48_ONE + partOf(upBps)),
  };
}

/**
 * From when a bank bears interest up to `now`: the seconds of halts in between count as if its interest had been brought up to date that
 * much later. Unix seconds; never after `now`, unless the last update is.
 * @see marginfi-v2 programs/marginfi/src/state/bank.rs `accrue_interest`
 */
export function skipHalts(
  state: Pick<BreakerState, 'haltStartedAt' | 'haltEndedAt' | 'frozenSecondsPending'>,
  lastUpdate: bigint,
  now: bigint,
): bigint {
  if (now <= lastUpdate) return lastUpdate;
  const frozen = state.frozenSecondsPending + frozenSeconds(state, lastUpdate, now);
  return smallerOf(lastUpdate + frozen, now);
}

/**
 * Seconds between two times in which a bank was halted and bears no interest.
 * @see marginfi-v2 programs/marginfi/src/state/bank.rs `cb_frozen_seconds`
 */
function frozenSeconds(
  { haltStartedAt, haltEndedAt }: Pick<BreakerState, 'haltStartedAt' | 'haltEndedAt'>,
  from: bigint,
  to: bigint,
): bigint {
  if (haltEndedAt === 0n) return 0n;
  return positive(smallerOf(haltEndedAt, to) - largerOf(haltStartedAt, from));
}

/** After a halt a breach counts as its continuation for a while; when that is over, the next one is a first one. */
function clearIfOver(
  state: BreakerState,
  { tierSeconds, escalationMultiple }: BreakerTerms,
  now: bigint,
): BreakerState {
  if (state.tier === 0) return state;
  const seconds = BigInt(tierSeconds[state.tier - 1] ?? 0) * BigInt(escalationMultiple);
  return now < state.haltEndedAt + seconds ? state : { ...state, tier: 0, tier3Trips: 0 };
}

function withWindow(state: BreakerState, now: bigint): BreakerState {
  if (state.windowReferencePrice <= LEAST_REFERENCE) {
    return { ...state, windowReferencePrice: state.referencePrice, windowStartedAt: now };
  }
  return state.windowStartedAt === 0n ? { ...state, windowStartedAt: now } : state;
}

/** The long window first: what walks slowly is seen there alone. */
function judgePrice(state: BreakerState, terms: BreakerTerms, observed: BreakerPrice, moment: BreakerMoment) {
  const { unixTimestamp: now } = moment;
  const windowSeconds = BigInt(terms.windowSeconds || WINDOW_SECONDS);
  const isWindowOver = now >= state.windowStartedAt + windowSeconds;
  const window = windowDeviation(observed, state.windowReferencePrice);
  if (isBeyond(window, terms)) {
    const deviationBps = largerOf(window.upBps, window.downBps);
    const tripped = trip(state, terms, moment, { deviationBps, tier: tierOf(deviationBps, terms) || 1 });
    if (!isWindowOver) return tripped;
    // A whole window of slow drift: the anchor follows to the edge, so that a price which stands still halts once.
    const anchor = edgeOf(state.windowReferencePrice, window, terms);
    return { ...tripped, state: { ...tripped.state, windowReferencePrice: anchor, windowStartedAt: now } };
  }
  const deviationBps = deviationOf(observed, state.referencePrice);
  const tier = tierOf(deviationBps, terms);
  if (tier > 0) return trip(state, terms, moment, { deviationBps, tier });
  const renewed = isWindowOver ? { windowReferencePrice: observed.price, windowStartedAt: now } : {};
  const referencePrice = followed(state.referencePrice, observed.price, terms);
  return { state: { ...state, ...renewed, referencePrice }, events: [] };
}

function trip(
  state: BreakerState,
  { tierSeconds }: BreakerTerms,
  { unixTimestamp: now, lastUpdate }: BreakerMoment,
  { deviationBps, tier: breached }: { readonly deviationBps: bigint; readonly tier: number },
): { readonly state: BreakerState; readonly events: readonly BreakerEvent[] } {
  const tier = state.tier > 0 ? Math.min(state.tier + 1, 3) : breached;
  const tier3Trips = tier === 3 ? Math.min(state.tier3Trips + 1, 255) : state.tier3Trips;
  const halted = {
    ...state,
    tier,
    tier3Trips,
    haltStartedAt: now,
    haltEndedAt: now + BigInt(tierSeconds[tier - 1] ?? 0),
    frozenSecondsPending: state.frozenSecondsPending + frozenSeconds(state, lastUpdate, now),
  };
  const tripped: BreakerEvent = { kind: 'tripped', tier, deviationBps };
  const isBroken = tier === 3 && tier3Trips >= TRIPS_TO_BREAK;
  return { state: halted, events: isBroken ? [tripped, { kind: 'broken' }] : [tripped] };
}

function tierOf(deviationBps: bigint, { tiersBps }: BreakerTerms): number {
  for (const tier of [3, 2, 1]) {
    const from = tiersBps[tier - 1] ?? 0;
    if (from > 0 && deviationBps >= BigInt(from)) return tier;
  }
  return 0;
}

/** Basis points that a price is off the reference, less its half interval. */
function deviationOf({ price, confidence }: Pick<BreakerPrice, 'price' | 'confidence'>, reference: I80F48): bigint {
  const off = price > reference ? price - reference : reference - price;
  return bpsOf(off - positive(confidence), reference);
}

interface WindowDeviation {
  readonly upBps: bigint;
  readonly downBps: bigint;
}

function windowDeviation(
  { price, confidence }: Pick<BreakerPrice, 'price' | 'confidence'>,
  reference: I80F48,
): WindowDeviation {
  const half = positive(confidence);
  return { upBps: bpsOf(price - reference - half, reference), downBps: bpsOf(reference - price - half, reference) };
}

function isBeyond({ upBps, downBps }: WindowDeviation, terms: BreakerGate['terms']): boolean {
  return upBps >= BigInt(mostUp(terms)) || downBps >= BigInt(mostDown(terms));
}

function edgeOf(reference: I80F48, { upBps }: WindowDeviation, terms: BreakerTerms): I80F48 {
  const [up, down] = [mostUp(terms), mostDown(terms)];
  const factor = upBps >= BigInt(up) ? I80F48_ONE + partOf(up) : I80F48_ONE - partOf(down);
  return multiplyI80F48(reference, factor);
}

function mostUp({ windowMaxUpBps }: Pick<BreakerTerms, 'windowMaxUpBps'>): number {
  return windowMaxUpBps || WINDOW_MAX_UP_BPS;
}

function mostDown({ windowMaxDownBps }: Pick<BreakerTerms, 'windowMaxDownBps'>): number {
  return windowMaxDownBps || WINDOW_MAX_DOWN_BPS;
}

/** The reference on its way to a price, by no more than five per cent of itself. */
function followed(reference: I80F48, price: I80F48, { emaAlphaBps }: BreakerTerms): I80F48 {
  const alpha = partOf(emaAlphaBps);
  const next = multiplyI80F48(alpha, price) + multiplyI80F48(I80F48_ONE - alpha, reference);
  const most = divideI80F48(multiplyI80F48(reference, integerToI80F48(BigInt(MAX_SHIFT_BPS))), ALL_BPS);
  const shift = next - reference;
  if (shift > most) return reference + most;
  return shift < -most ? reference - most : next;
}

function partOf(bps: number): I80F48 {
  return divideI80F48(integerToI80F48(BigInt(bps)), ALL_BPS);
}

/** Whole basis points that a difference is of a reference; none below zero. */
function bpsOf(difference: I80F48, reference: I80F48): bigint {
  return divideI80F48(multiplyI80F48(positive(difference), ALL_BPS), reference) >> 48n;
}

function positive(value: bigint): bigint {
  return largerOf(value, 0n);
}
