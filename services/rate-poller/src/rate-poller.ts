import type { Bus } from '@lending/bus';
import type { Chain } from '@lending/chain';
import type { Venue } from '@lending/domain';
import { describeError, LendingError } from '@lending/errors';
import type { Message, RateSampled } from '@lending/events';
import {
  createOutage,
  type Logger,
  type Metrics,
  type Outage,
  type Readiness,
  retryWithJitter,
} from '@lending/runtime';
import type { ReserveKeys, VenueAdapter } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { AgingList } from './aging-list.ts';
import { type BackfillOptions, runBackfill } from './backfill/run-backfill.ts';
import type { Backfill } from './backfill/venue-histories.ts';
import { type BankList, createBankList } from './bank-list.ts';
import type { RecalledRates } from './epoch-recall.ts';
import type { Leadership } from './leadership.ts';
import { createNativeRates, type NativeRates } from './native-rates.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createP0Round, type Round } from './p0-round.ts';
import { createAdmit } from './quarantine/admit-samples.ts';
import { createQuarantine } from './quarantine/quarantine.ts';
import { createUnreadReserves } from './quarantine/unread-reserves.ts';
import { createLeadershipReport } from './report-leadership.ts';
import { createReserveList } from './reserve-list.ts';
import { runVenueBeat } from './run-venue-beat.ts';
import { createSlotTime } from './slot-time.ts';
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
  /** Milliseconds that have passed for us, from any beginning, which the chain's clock is held against; default: as the machine counts. */
  readonly elapsedMs?: () => number;
  /** What is taken over from the venues' own services, once; default: nothing. */
  readonly backfill?: Backfill;
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
  };
  const unreadReserves = createUnreadReserves(shared);
  const venues = adapters.map((adapter) => ({ adapter, reserves: openReserveList(options, adapter) }));
  const rounds: readonly (readonly [Venue, Round])[] = [
    ['p0', createP0Round({ ...shared, onReject: rejecterOf('p0', options) })],
    ...venues.map(({ adapter, reserves }): [Venue, Round] => [
      adapter.venue,
      createVenueRound({ ...shared, adapter, reserves, unreadReserves, onReject: rejecterOf(adapter.venue, options) }),
    ]),
  ];

  // What the last beats read is sent after them.
  const sendingStops = new AbortController();
  const sending = outbox.run(sendingStops.signal);
  const listReserves = async () => (await Promise.all(venues.map(({ reserves }) => reserves.get(signal)))).flat();
  const beside = [
    report.run(signal),
    slotTime.run(signal),
    runBackfillOnceLeading({ ...options, listReserves }, signal),
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

/** Pause between two questions to one venue's service. */
const BACKFILL_PAUSE_MS = 1_000;

async function runBackfillOnceLeading(
  options: RatePollerOptions & Pick<BackfillOptions, 'listReserves'>,
  signal: AbortSignal,
): Promise<void> {
  const { backfill, chain, program, leadership } = options;
  if (backfill === undefined || backfill.histories.length === 0) return;
  async function now() {
    const [group] = await chain.fetchAccountGroups([[program]], { signal });
    if (group === undefined) throw new LendingError('CHAIN__RPC_INVALID', { message: 'The node answers no group' });
    return { slot: group.slot, unixTimestamp: group.unixTimestamp };
  }
  try {
    await leadership.untilLeading(signal);
    const listReserves = () => retryWithJitter(options.listReserves, { signal });
    await runBackfill(
      { ...options, ...backfill, listReserves, pauseMs: BACKFILL_PAUSE_MS, source: chain.source, now },
      signal,
    );
  } catch (error) {
    if (!signal.aborted) options.logger.error('rate.backfill.stop', { error });
  }
}

function openOutbox({ bus, outboxCapacity: capacity, logger, metrics, readiness }: RatePollerOptions): Outbox {
  const samples = metrics.counter({ name: 'rate.sample.publish', help: 'Rate samples published', labels: ['venue'] });
  const outage = createOutage({
    component: readiness.component('rate-poller log'),
    logger,
    failEvent: 'rate.publish.fail',
    resumeEvent: 'rate.publish.resume',
  });
  const onSent = (sent: readonly Message[]): void => {
    for (const { type, payload } of sent)
      if (type === 'rate.sampled.v1') samples.inc({ venue: (payload as RateSampled).venue });
  };
  const outbox = createOutbox({ bus, capacity, onSent, onState: tell(outage) });
  metrics.gauge({ name: 'rate.outbox.wait', help: 'Messages waiting for the log', collect: () => outbox.size });
  metrics.gauge({
    name: 'rate.outbox.drop',
    help: 'Messages given up because too many waited for the log',
    collect: () => outbox.dropped,
  });
  return outbox;
}

function openBankList(options: RatePollerOptions): BankList {
  const { chain, program, group, discoveryMs: maxAgeMs, logger, readiness } = options;
  const outage = createOutage({
    component: readiness.component('bank-list'),
    logger,
    failEvent: 'bank.list.fail',
    resumeEvent: 'bank.list.resume',
  });
  const onReject = rejecterOf('unknown', options);
  return createBankList({ chain, program, group, maxAgeMs, onReject, onSearch: tell(outage) });
}

function openReserveList(options: RatePollerOptions, adapter: VenueAdapter): AgingList<ReserveKeys> {
  const { chain, discoveryMs: maxAgeMs, logger, readiness } = options;
  const { venue } = adapter;
  const outage = createOutage({
    component: readiness.component(`reserve-list ${venue}`),
    logger: logger.child({ venue }),
    failEvent: 'reserve.list.fail',
    resumeEvent: 'reserve.list.resume',
  });
  return createReserveList({ chain, adapter, maxAgeMs, onReject: rejecterOf(venue, options), onSearch: tell(outage) });
}

function openNativeRates(options: RatePollerOptions): NativeRates {
  const { chain, discoveryMs: maxAgeMs, recallNativeRates: recall = null, logger, readiness } = options;
  const outage = createOutage({
    component: readiness.component('stake-pool-list'),
    logger,
    failEvent: 'stake.list.fail',
    resumeEvent: 'stake.list.resume',
  });
  return createNativeRates({
    chain,
    maxAgeMs,
    recall,
    onReject: rejecterOf('unknown', options),
    onSearch: tell(outage),
    onRecallFailure: (error) => logger.warn('stake.recall.fail', { error }),
  });
}

/** @param venue `unknown` where what cannot be read does not even say whose it is. */
function rejecterOf(venue: Venue | 'unknown', { logger, metrics }: RatePollerOptions) {
  const rejections = metrics.counter({
    name: 'rate.bank.reject',
    help: 'Reads of banks and reserves that could not be decoded',
    labels: ['venue'],
  });
  return (address: Address, error: unknown): void => {
    rejections.inc({ venue });
    logger.debug('rate.bank.reject', { bank: address, venue, reason: describeError(error) });
  };
}

function tell(outage: Outage): (error: unknown) => void {
  return (error) => (error === null ? outage.recovered() : outage.failed(error));
}
