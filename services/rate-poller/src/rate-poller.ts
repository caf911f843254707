import type { Bus } from '@lending/bus';
import type { Chain } from '@lending/chain';
import type { Venue } from '@lending/domain';
import type { Logger, Metrics, Readiness, SourceBoard } from '@lending/runtime';
import type { VenueAdapter } from '@lending/venues';
import type { Address } from '@solana/kit';
import { backfillOnceLeading } from './backfill/backfill-once-leading.ts';
import type { Backfill } from './backfill/venue-histories.ts';
import type { RecalledRates } from './epoch-recall.ts';
import type { Leadership } from './leadership.ts';
import { openBankList, openNativeRates, openReserveList } from './open-lists.ts';
import { openOutbox } from './open-outbox.ts';
import { createP0Round, type Round } from './p0-round.ts';
import { createPriceAudit, type PriceAuditOptions } from './price-audit.ts';
import { createAdmit } from './quarantine/admit-samples.ts';
import { createQuarantine } from './quarantine/quarantine.ts';
import { createUnreadReserves } from './quarantine/unread-reserves.ts';
import { createLeadershipReport } from './report-leadership.ts';
import { rejecterOf } from './report-rejections.ts';
import { runVenueBeat } from './run-venue-beat.ts';
import { createSlotTime } from './slot-time.ts';
import { MACHINE_CLOCK, openSwapQuoter, type SwapQuoting } from './swaps/open-swap-quotes.ts';
import { createPairReader } from './swaps/read-pair.ts';
import { type RunSwapQuotesOptions, runSwapQuotes } from './swaps/run-swap-quotes.ts';
import { createSeenBanks } from './swaps/seen-banks.ts';
import { type TellBeats, tellBeatsWhileLeading } from './tell-beats.ts';
import { createVenueRound } from './venue-round.ts';

export interface RatePollerOptions {
  readonly chain: Chain;
  readonly bus: Bus;
  readonly program: Address;
  readonly group: Address;
  /** What is known of the venues behind P0. */
  readonly adapters: readonly VenueAdapter[];
  /** How often each venue is sampled, in milliseconds; one that is not named here is left out. */
  readonly beatMs: Readonly<Partial<Record<Venue, number>>>;
  /** How often the group is searched for new banks, and each venue for new reserves, in milliseconds. */
  readonly discoveryMs: number;
  /** Messages kept while the log is down. */
  readonly outboxCapacity: number;
  /** Whether this process samples, of several that could. */
  readonly leadership: Leadership;
  /** What tokens were worth in their stake pools before this process began; default: nothing is known. */
  readonly recallNativeRates?: RecalledRates;
  /** What an earlier process found of the prices in banks' caches; default: nothing. */
  readonly recallAudits?: PriceAuditOptions['recall'];
  /** Milliseconds that have passed for us, from any beginning, which the chain's clock is held against; default: as the machine counts. */
  readonly elapsedMs?: () => number;
  /** What is taken over from the venues' own services, once; default: nothing. */
  readonly backfill?: Backfill;
  /** Who is asked what swaps between the banks' tokens give; default: nobody. */
  readonly swapQuoting?: SwapQuoting | null;
  /** Told how often venues are to be sampled, now and then while this process leads; default: nobody is. */
  readonly tellBeats?: TellBeats;
  /** Where it is kept how aggregators stand; default: nowhere. */
  readonly sources?: Pick<SourceBoard, 'aggregatorAnswered'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/** How often the length of a slot is measured. */
const SLOT_TIME_MS = 60_000;

/**
 * Samples P0's banks and the venues behind them, each venue on a beat of its own, while this process leads, and publishes what it saw.
 * Resolves when the signal aborts, after the beats at hand. Nothing that the network does ends it: it says what is not ready, and
 * tries again.
 */
export async function runRatePoller(given: RatePollerOptions, signal: AbortSignal): Promise<void> {
  const { chain, beatMs, logger, metrics } = given;
  const report = createLeadershipReport(given);
  const options = { ...given, readiness: report.readiness };
  const adapters = given.adapters.filter(({ venue }) => beatMs[venue] !== undefined);
  const outbox = openOutbox(options);
  const banks = openBankList(options);
  const nativeRates = openNativeRates(options);
  const slotTime = createSlotTime({ chain, refreshMs: SLOT_TIME_MS, logger, metrics });
  const shared = {
    ...options,
    nativeRates,
    source: chain.source,
    admit: createAdmit({ quarantine: createQuarantine(given), source: chain.source, logger, metrics }),
    banks,
    slotTime,
    prices: createPriceAudit({ ...options, source: chain.source, recall: given.recallAudits ?? (async () => []) }),
  };
  const seen = createSeenBanks();
  const unreadReserves = createUnreadReserves(shared);
  const venues = adapters.map((adapter) => ({ adapter, reserves: openReserveList(options, adapter) }));
  const rounds: readonly (readonly [Venue, Round])[] = [
    ['p0', createP0Round({ ...shared, seen, onReject: rejecterOf('p0', options) })],
    ...venues.map(({ adapter, reserves }): [Venue, Round] => [
      adapter.venue,
      createVenueRound({
        ...shared,
        seen,
        adapter,
        reserves,
        unreadReserves,
        onReject: rejecterOf(adapter.venue, options),
      }),
    ]),
  ];

  // What the last beats read is sent after them.
  const sendingStops = new AbortController();
  const sending = outbox.run(sendingStops.signal);
  const listReserves = async () => (await Promise.all(venues.map(({ reserves }) => reserves.get(signal)))).flat();
  const beside = [
    report.run(signal),
    slotTime.run(signal),
    tellBeatsWhileLeading({ ...options, slotTime }, signal),
    backfillOnceLeading({ ...options, listReserves }, signal),
    runQuotes({ ...options, seen, outbox }, signal),
  ];
  await Promise.all(
    rounds.map(async ([venue, round]) => {
      const everyMs = beatMs[venue];
      if (everyMs === undefined) return;
      await runVenueBeat({ ...options, venue, beatMs: everyMs, round, outbox }, signal);
    }),
  );
  sendingStops.abort();
  await Promise.all([
    sending,
    ...beside,
    banks.idle(),
    nativeRates.idle(),
    ...venues.map(({ reserves }) => reserves.idle()),
  ]);
}

async function runQuotes(
  options: RatePollerOptions & Pick<RunSwapQuotesOptions, 'seen' | 'outbox'>,
  signal: AbortSignal,
): Promise<void> {
  const { swapQuoting, chain } = options;
  if (swapQuoting == null) return;
  const { everyMs, renewMs = everyMs, recall = null } = swapQuoting;
  const quoter = openSwapQuoter(swapQuoting, options);
  const readPair = createPairReader(options);
  await runSwapQuotes(
    { ...options, quoter, everyMs, renewMs, recall, readPair, source: chain.source, clock: MACHINE_CLOCK },
    signal,
  );
}
