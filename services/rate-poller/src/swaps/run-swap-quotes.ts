import type { MessageSource } from '@lending/events';
import { createOutage, type Logger, type Metrics } from '@lending/runtime';
import { inSpan, keepTrace } from '@lending/tracing';
import type { SwapQuoter, SwapSize } from '@lending/transactions/swaps/create-swap-quoter.ts';
import type { Leadership } from '#leadership.ts';
import type { Outbox } from '#outbox.ts';
import { toSwapQuoted } from '#publish/swap-quoted.ts';
import { climbLadder, type Ladder } from './climb-ladder.ts';
import { hasMoved } from './has-moved.ts';
import { NOT_SHOWN } from './not-shown.ts';
import { createPairRota } from './pair-rota.ts';
import { createQuoteAges } from './quote-ages.ts';
import type { MomentaryPair, ReadPair } from './read-pair.ts';
import type { SeenBanks } from './seen-banks.ts';
import {
  type BankedPair,
  banksOf,
  listMintPrices,
  listSwapPairs,
  type PricedMint,
  type SwapPair,
} from './swap-pairs.ts';

/** When pairs were last quoted, ms since 1970, by `inMint:outMint`. */
export type RecallQuotes = () => Promise<ReadonlyMap<string, number>>;

/** The time, as the machine or a test has it. */
export interface QuoteClock {
  /** Ms since 1970. */
  now(): number;
  /** Resolves early when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface RunSwapQuotesOptions {
  readonly quoter: SwapQuoter;
  /** From one request to the next, ms. */
  readonly everyMs: number;
  /** From there to the first request of a pair that was quoted before, ms; default: no longer. */
  readonly renewMs?: number;
  readonly seen: Omit<SeenBanks, 'see'>;
  readonly readPair: ReadPair;
  /** What was asked before this process began, so that it goes on behind that. */
  readonly recall: RecallQuotes | null;
  readonly leadership: Leadership;
  readonly outbox: Pick<Outbox, 'put'>;
  readonly source: MessageSource;
  readonly clock: QuoteClock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** How long there may be nothing to ask for: no prices yet, or all pairs asked for at this slot. */
const IDLE_MS = 500;
/** Which pairs there are is looked up again so often, and at once when a bank appears. */
const PAIRS_MS = 60_000;
/** A ladder's prices are of its beginning, and hardly stand still for longer. */
const LADDER_MS = 60_000;
/** Every fourth turn goes to a pair that was never quoted, where there is one: strategies lack its cost, and a failure often passes. */
const UNQUOTED_TURNS = 4;
/** After a failure that nobody expects. */
const FAILURE_MS = 60_000;

/**
 * Asks what swaps of the pairs that loops need give, one request after the other, while this process leads, until the signal aborts.
 * Pairs take turns; whatever aggregators do, sampling does not wait for it.
 */
export async function runSwapQuotes(options: RunSwapQuotesOptions, signal: AbortSignal): Promise<void> {
  const { quoter, seen, readPair, leadership, outbox, source, clock, logger, metrics } = options;
  if (!quoter.isAble) return;
  const rota = createPairRota();
  const list = createPairList(options);
  const ages = createQuoteAges({ metrics, now: clock.now });
  const ladders = metrics.counter({
    name: 'swap.ladder.finish',
    help: 'Pairs that had their turn, by how their ladder of sizes ended; unpriced and moved are not published',
    labels: ['end'],
  });
  const outage = createOutage({
    component: NOT_SHOWN,
    logger,
    failEvent: 'swap.price.fail',
    resumeEvent: 'swap.price.resume',
  });
  const pace = createPace(options, signal);
  let isRecalled = options.recall === null;
  let turns = 0;

  async function recall(): Promise<void> {
    try {
      const asked = (await options.recall?.()) ?? new Map();
      rota.recall(asked);
      ages.recall(asked);
    } catch (error) {
      logger.warn('swap.recall.fail', { error });
    }
    isRecalled = true;
  }

  /** False where there is nothing to ask for. */
  async function takeTurn(): Promise<boolean> {
    await leadership.untilLeading(signal);
    if (!isRecalled) await recall();
    const { moment } = seen;
    if (moment === null) return false;
    const prices = listMintPrices(seen.banks, moment);
    const pairs = list(prices).filter((each) => banksOf(each, prices) !== null);
    ages.follow(pairs);
    const next = nextOf(pairs, moment.slot);
    const banks = next && banksOf(next, prices);
    if (next === null || banks === null) return false;
    // Prices that wait for the first question grow old.
    await pace.untilTurn(ages.isQuoted(next));
    return inSpan('lending.rate-poller', { name: 'quote pair' }, () => ask(next, banks, moment.slot));
  }

  function nextOf(pairs: readonly SwapPair[], slot: bigint): SwapPair | null {
    const unquoted = turns % UNQUOTED_TURNS === 0 ? pairs.filter((pair) => !ages.isQuoted(pair)) : [];
    return rota.next(unquoted, slot) ?? rota.next(pairs, slot);
  }

  async function ask(next: SwapPair, banks: BankedPair, slot: bigint): Promise<boolean> {
    const beganMs = clock.now();
    turns += 1;
    const start = await priceNow(banks);
    rota.asked(next, start?.moment.slot ?? slot, beganMs);
    if (start === null) {
      ladders.inc({ end: 'unpriced' });
      return false;
    }
    const ladder = await climb(start, beganMs);
    const end = await judge(ladder, { banks, start });
    ladders.inc({ end });
    // Whoever leads now asks for itself.
    if (ladder === null || end !== ladder.end || leadership.state !== 'leading') return true;
    const quoted = toSwapQuoted(start, ladder, start.moment, source);
    keepTrace([quoted]);
    outbox.put([quoted]);
    ages.quoted(next, beganMs);
    return true;
  }

  /** Null where it cannot be had: what was read before is of another moment. */
  async function priceNow(banks: BankedPair): Promise<MomentaryPair | null> {
    try {
      const pair = await readPair(banks, signal);
      outage.recovered();
      return pair;
    } catch (error) {
      if (signal.aborted) throw error;
      outage.failed(error);
      return null;
    }
  }

  /** How a turn ended; only what ended as its ladder did is told. */
  async function judge(
    ladder: Ladder | null,
    { banks, start }: { readonly banks: BankedPair; readonly start: MomentaryPair },
  ): Promise<Ladder['end'] | 'given_up' | 'unpriced' | 'moved'> {
    if (ladder === null) return 'given_up';
    // Nothing to be valued.
    if (ladder.rungs.length === 0) return ladder.end;
    const now = await priceNow(banks);
    if (now === null) return 'unpriced';
    return hasMoved(start, now) ? 'moved' : ladder.end;
  }

  function climb(pair: MomentaryPair, beganMs: number): Promise<Ladder | null> {
    const latestMs = beganMs + Math.max(LADDER_MS, 10 * options.everyMs);
    const waitUntil = async (ms: number) => {
      await clock.sleep(Math.max(0, ms - clock.now()), signal);
      return !signal.aborted && clock.now() <= latestMs;
    };
    return climbLadder(pair, { ask: pace.ask, waitUntil });
  }

  while (!signal.aborted) {
    try {
      if (!(await takeTurn())) await clock.sleep(IDLE_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      logger.error('swap.quote.stop', { error });
      await clock.sleep(FAILURE_MS, signal);
    }
  }
}

/** Asks no sooner than it is time to. */
function createPace({ quoter, everyMs, renewMs = everyMs, clock }: RunSwapQuotesOptions, signal: AbortSignal) {
  let askedMs = Number.NEGATIVE_INFINITY;
  async function untilAfter(ms: number): Promise<void> {
    await clock.sleep(Math.max(0, askedMs + ms - clock.now()), signal);
    signal.throwIfAborted();
  }
  return {
    untilTurn: (isQuoted: boolean) => untilAfter(isQuoted ? renewMs : everyMs),
    async ask(size: SwapSize) {
      await untilAfter(everyMs);
      askedMs = clock.now();
      return quoter.ask(size, signal);
    },
  };
}

/** The pairs there are, looked up now and then, since that takes all banks by all banks. */
function createPairList({ seen, clock }: RunSwapQuotesOptions) {
  let listed: { readonly size: number; readonly atMs: number; readonly pairs: readonly SwapPair[] } | undefined;
  return (prices: ReadonlyMap<string, PricedMint>): readonly SwapPair[] => {
    const nowMs = clock.now();
    if (listed === undefined || listed.size !== seen.size || nowMs - listed.atMs >= PAIRS_MS) {
      listed = { size: seen.size, atMs: nowMs, pairs: listSwapPairs(seen.banks, prices) };
    }
    return listed.pairs;
  };
}
