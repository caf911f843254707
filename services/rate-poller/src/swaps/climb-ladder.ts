import { FRACTION_ONE, type FractionE18 } from '@lending/domain';
import type { SwapQuoted } from '@lending/events';
import type { SwapAnswers, SwapSize } from '@lending/transactions/swaps/create-swap-quoter.ts';
import type { PricedPair } from './swap-pairs.ts';

/** Whole USD; the smallest is what larger ones are held against. */
const SIZES_USD = [1_000n, 10_000n, 100_000n, 1_000_000n, 10_000_000n];
/** What a size itself may cost before no larger one is asked, percent: as much as a builder allows. */
const MAX_IMPACT_PERCENT = 1n;
/** No quote that gives more than this of what the input is worth is believed, percent: as a builder does not. */
const MOST_PERCENT = 103n;
const TRIES = 3;
const U64_MAX = 2n ** 64n - 1n;

export type Ladder = Pick<SwapQuoted, 'rungs' | 'end'>;

export interface ClimbOptions {
  /** Asks for one size, not before it is time to. */
  readonly ask: (size: SwapSize) => Promise<SwapAnswers>;
  /** Resolves when aggregators may be asked again; false where that is too late for this ladder, whose prices grow old. */
  readonly waitUntil: (ms: number) => Promise<boolean>;
}

type Name = SwapQuoted['rungs'][number]['aggregator'];

/**
 * Asks for larger and larger sizes of one pair, until the size costs too much, there is no route, or the largest is asked. All rungs are of
 * the aggregators that answered for the first, so that none of them differs by who happened to answer.
 * Null where that cannot be had now: half a ladder would be told as a market that ends there.
 */
export async function climbLadder(pair: PricedPair, options: ClimbOptions): Promise<Ladder | null> {
  const rungs: Ladder['rungs'] = [];
  let team: readonly Name[] | null = null;
  for (const sizeUsd of SIZES_USD) {
    const size = sizeOf(pair, sizeUsd * FRACTION_ONE);
    // No token has so many units.
    if (size.inBase > U64_MAX) return { rungs, end: 'no_route' };
    const answers = await askAll(size, team, options);
    if (answers === null) return null;
    team ??= answeredBy(answers);
    const best = answers.quoted.find(({ aggregator }) => team?.includes(aggregator));
    // Refused is not the same as no route: of a mint that nobody knows nothing is known.
    if (best === undefined) return rungs.length > 0 || answers.noRoute.length > 0 ? { rungs, end: 'no_route' } : null;
    const { aggregator, outBase } = best;
    rungs.push({ inBase: size.inBase.toString(), outBase: outBase.toString(), aggregator });
    if (costsTooMuch(rungs)) return { rungs, end: 'impact' };
  }
  return { rungs, end: 'passed_largest' };
}

/** Null where who is to answer does not, however often it is asked. */
async function askAll(size: SwapSize, team: readonly Name[] | null, { ask, waitUntil }: ClimbOptions) {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const answers = await ask(size);
    const missing = answers.failed.filter(({ aggregator }) => team === null || team.includes(aggregator));
    if (team === null ? answeredBy(answers).length > 0 : missing.length === 0) return answers;
    const soonest = Math.min(...missing.map(({ retryAtMs }) => retryAtMs));
    if (tries === TRIES || missing.length === 0 || !(await waitUntil(soonest))) return null;
  }
  return null;
}

function answeredBy({ quoted, noRoute, refused }: SwapAnswers): readonly Name[] {
  return [...quoted.map(({ aggregator }) => aggregator), ...noRoute, ...refused];
}

function sizeOf({ in: from, out: to }: PricedPair, usdE18: FractionE18): SwapSize {
  const fair = (price: FractionE18, decimals: number) => (usdE18 * 10n ** BigInt(decimals)) / price;
  const inBase = fair(from.priceE18, from.decimals);
  // One unit can be worth more than the size asked for.
  const atLeastOne = inBase > 0n ? inBase : 1n;
  const worthE18 = (atLeastOne * from.priceE18) / 10n ** BigInt(from.decimals);
  const mostOutBase = (worthE18 * MOST_PERCENT * 10n ** BigInt(to.decimals)) / (to.priceE18 * 100n);
  return { inMint: from.mint, outMint: to.mint, inBase: atLeastOne, mostOutBase };
}

/** Whether the last of them gives so much less for one than the first does. */
function costsTooMuch(rungs: Ladder['rungs']): boolean {
  const [first, last] = [rungs.at(0), rungs.at(-1)];
  if (first === undefined || last === undefined) return false;
  const now = BigInt(last.outBase) * BigInt(first.inBase) * 100n;
  return now < BigInt(first.outBase) * BigInt(last.inBase) * (100n - MAX_IMPACT_PERCENT);
}
