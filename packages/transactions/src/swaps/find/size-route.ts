import { U64_MAX } from '@lending/domain';
import type { SwapRequest } from '../swap-finder.ts';
import type { SwapQuote } from '../swap-route.ts';
import type { Attempt, Candidate } from './attempt.ts';

/** Quotes asked for at most: the first guess, and two that are scaled from what it gave. */
const MAX_ROUNDS = 3;
const BPS = 10_000n;
/** More than is needed is borrowed or sold for nothing: beyond this it is asked for again. */
const TIGHT_BPS = 10n;
/** A larger trade gives a little less for a unit, so that scaling aims a little higher. */
const MARGIN_BPS = 2n;

export type Look = (inBase: bigint) => Promise<Attempt>;

/** Asks for a swap of one amount, then of what its quote says is enough, until it covers what is needed and little more. */
export async function sizeRoute(look: Look, request: SwapRequest, firstIn: bigint): Promise<Attempt> {
  let best: Candidate | null = null;
  let inBase = atMost(firstIn, request);
  for (let round = 1; ; round += 1) {
    const attempt = await look(inBase);
    // What failed now does not take back what was offered before.
    if (attempt.kind !== 'candidate') return best ?? attempt;
    const { quote } = attempt.route;
    if (quote.minOutBase >= request.neededOut) {
      if (best === null || quote.inBase < best.route.quote.inBase) best = attempt;
      if (isTight(quote, request)) return best;
    }
    const next = scale(quote, request);
    if (round === MAX_ROUNDS || next === inBase) return best ?? belowNeeded(quote);
    inBase = next;
  }
}

/** A pinned amount is asked for once: another one would be another plan. */
export async function askOnce(look: Look, { neededOut }: SwapRequest, inBase: bigint): Promise<Attempt> {
  const attempt = await look(inBase);
  if (attempt.kind !== 'candidate') return attempt;
  const { quote } = attempt.route;
  return quote.minOutBase >= neededOut ? attempt : belowNeeded(quote);
}

function belowNeeded({ aggregator, inBase, outBase }: SwapQuote): Attempt {
  return { kind: 'refused', aggregator, reason: 'below_needed', inBase, outBase };
}

function isTight({ minOutBase }: SwapQuote, { neededOut }: SwapRequest): boolean {
  return (minOutBase - neededOut) * BPS <= neededOut * TIGHT_BPS;
}

function scale({ inBase, minOutBase }: SwapQuote, request: SwapRequest): bigint {
  // One unit less what it may slip is none.
  if (minOutBase === 0n) return atMost(inBase * 2n, request);
  const divisor = minOutBase * BPS;
  const scaled = (inBase * request.neededOut * (BPS + MARGIN_BPS) + divisor - 1n) / divisor;
  return atMost(scaled, request);
}

function atMost(inBase: bigint, { maxInBase }: SwapRequest): bigint {
  const most = maxInBase ?? U64_MAX;
  const least = inBase > 0n ? inBase : 1n;
  return least < most ? least : most;
}
