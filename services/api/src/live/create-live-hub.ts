import { LendingError } from '@lending/errors';
import type { Logger, Metrics } from '@lending/runtime';
import type { AccountRow } from '@lending/store';
import type { Change, ChangeFeed } from '#reads/change-feed.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import type { LiveKind } from '#records/live-fields.ts';
import { invalid } from '#tools/parse-input.ts';
import { createAccountReader } from './account-reader.ts';
import { type ActivityParts, createActivityFeed } from './activity-feed.ts';
import { createBankFeed } from './bank-feed.ts';
import { areReservesAsked, checkBanks, findHealthAccounts, namesOf } from './find-asked.ts';
import { createFollowKeeper } from './follow-keeper.ts';
import { createHealthFeed } from './health-feed.ts';
import type { FollowOptions, LiveHub, LiveQuestion } from './live-hub.ts';
import { createLiveMetrics } from './live-metrics.ts';
import { type OpenStream, openStream, type StreamParts } from './open-stream.ts';
import { createRateFeed } from './rate-feed.ts';
import { createStreamCount, type StreamLimits } from './stream-limits.ts';
import type { PartHooks } from './stream-part.ts';
import { decodePosition, type StreamPosition } from './stream-position.ts';

export interface LiveHubOptions {
  readonly reads: Pick<ReadDeps, 'store' | 'banks' | 'reserves' | 'measures' | 'progress' | 'follows'>;
  readonly feed: Pick<ChangeFeed, 'watch'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly limits: StreamLimits & {
    /** Addresses that one stream names. */
    readonly mostAddresses: number;
  };
}

/** Notices can be missed, so what somebody hears of is asked for anyway. */
const BEAT_MS = 2_000;
/** How often what is heard of is read whole again, and asked to be followed on. Follows lapse after many times this. */
const RENEW_MS = 30_000;
/**
 * Reads nothing while nobody listens.
 *
 * Each feed compares what was loaded with what it knows, once for all streams, and marks in each stream what it asked for and was not
 * told yet. A stream therefore holds marks, not events: what is told is made when its reader fetches it.
 */
export function createLiveHub(options: LiveHubOptions): LiveHub {
  const { reads, feed, logger, limits } = options;
  const streams = new Set<OpenStream>();
  const count = createStreamCount(limits, (limit) => metrics.refused(limit));
  const metrics = createLiveMetrics(options.metrics, count.open);
  const rates = createRateFeed();
  const banks = createBankFeed();
  const health = createHealthFeed({ logger });
  const activity = createActivityFeed({ reads, logger });
  const accounts = createAccountReader({ store: reads.store, onRead: health.takeAccounts, logger });
  const followed = createFollowKeeper(reads.follows, logger);
  let stopListening: (() => void) | null = null;
  let isClosed = false;

  function listen(): void {
    if (stopListening !== null) return;
    const stops = [
      reads.banks.onLoad((snapshot) => {
        rates.takeBanks(snapshot);
        banks.take(snapshot);
      }),
      reads.reserves.onLoad(rates.takeReserves),
      reads.measures.onLoad(health.takeMeasures),
      feed.watch(takeChange),
    ];
    const beats = [
      setInterval(() => void refresh(), BEAT_MS).unref(),
      setInterval(() => {
        readAll();
        void followed.renew();
      }, RENEW_MS).unref(),
    ];
    stopListening = () => {
      for (const beat of beats) clearInterval(beat);
      for (const stop of stops) stop();
      accounts.stop();
      stopListening = null;
    };
  }

  function takeChange(change?: Change): void {
    if (change === undefined) readAll();
    const keys = change?.keys ?? null;
    switch (change?.topic) {
      case 'account.updated.v1':
        accounts.read(keys?.filter(health.isHeard) ?? health.heard());
        break;
      case 'activity.recorded.v1':
        activity.markChanged(keys);
        break;
      case 'rate.sampled.v1':
      case 'reserve.updated.v1':
      case undefined:
        if (rates.areReservesHeard()) reads.reserves.markChanged();
    }
  }

  /** Of accounts and activity, which nothing in memory holds. */
  function readAll(): void {
    accounts.read(health.heard());
    activity.markChanged(null);
  }

  /** Asks for what is heard of, so that it is loaded anew where it is old. */
  async function refresh(): Promise<void> {
    const wanted = [
      reads.banks.get(),
      ...(rates.areReservesHeard() ? [reads.reserves.get()] : []),
      ...(health.heard().length > 0 ? [reads.measures.get()] : []),
      ...(activity.isHeard() ? [reads.progress.get().then(({ tip }) => tip && activity.takeTip(tip.slot))] : []),
    ];
    for (const result of await Promise.allSettled(wanted)) {
      if (result.status === 'rejected') logger.warn('live.state.load', { error: result.reason });
    }
  }

  function stopIfUnheard(): void {
    if (count.open() === 0) stopListening?.();
  }

  async function begin(question: LiveQuestion, options: FollowOptions, release: () => void): Promise<OpenStream> {
    const { after, callName } = options;
    const position = after === null ? null : decodePosition(after, question, callName);
    listen();
    const snapshot = await reads.banks.get();
    rates.takeBanks(snapshot);
    banks.take(snapshot);
    const rows = await findHealthAccounts(reads, question, snapshot, callName);
    if (rows.length > 0) health.takeMeasures(await reads.measures.get());
    const reserves = areReservesAsked(question, snapshot) ? await reads.reserves.get() : null;
    if (reserves !== null) rates.takeReserves(reserves);
    checkBanks(question, snapshot, reserves);
    // Declared before what wakes it: activity may come while its history is read.
    let stream: OpenStream | null = null;
    const hooks: PartHooksOf = (kind) => ({ wake: () => stream?.wake(), conflated: () => metrics.conflated(kind) });
    const activityParts = await openActivity(question, position, hooks);
    const parts: StreamParts = {
      ...openStates(question, rows, position, hooks),
      activity: activityParts?.activity ?? null,
      missed: activityParts?.missed ?? null,
    };
    const letGo = followed.take([
      ...question.health.map((address) => ({ address, aspect: 'accounts' as const })),
      ...question.activity.map((address) => ({ address, aspect: 'activity' as const })),
    ]);
    const opened = openStream(question, parts, {
      sent: metrics.sent,
      ended(reason) {
        letGo();
        streams.delete(opened);
        release();
        metrics.closed(reason);
        stopIfUnheard();
      },
    });
    stream = opened;
    streams.add(opened);
    if (isClosed) opened.end('shutdown');
    return opened;
  }

  function openStates(
    { rates: askedRates, banks: askedBanks }: LiveQuestion,
    rows: readonly AccountRow[],
    position: StreamPosition | null,
    hooks: PartHooksOf,
  ): Pick<StreamParts, 'rate' | 'bank' | 'health'> {
    return {
      rate: isNone(askedRates) ? null : rates.subscribe(askedRates, position?.ratesMs ?? null, hooks('rate')),
      bank: isNone(askedBanks) ? null : banks.subscribe(askedBanks, position?.banks ?? null, hooks('bank')),
      health: rows.length === 0 ? null : health.subscribe(rows, position?.health ?? [], hooks('health')),
    };
  }

  async function openActivity(
    { activity: asked }: LiveQuestion,
    position: StreamPosition | null,
    hooks: PartHooksOf,
  ): Promise<ActivityParts | null> {
    if (asked.length === 0) return null;
    const [{ tip }, addresses] = await Promise.all([reads.progress.get(), namesOf(reads, asked)]);
    if (tip === null) throw nothingIndexed();
    activity.takeTip(tip.slot);
    return activity.subscribe({ addresses, after: position?.activity ?? null, tipSlot: tip.slot }, hooks('activity'));
  }

  return {
    async follow(question, followOptions) {
      const { client, signal, callName } = followOptions;
      if (isClosed) throw closing();
      checkQuestion(question, limits.mostAddresses, callName);
      const release = count.take(client);
      let stream: OpenStream;
      try {
        stream = await begin(question, followOptions, release);
      } catch (error) {
        release();
        stopIfUnheard();
        throw error;
      }
      const end = (): void => stream.end(signal.reason === 'slow' ? 'slow' : 'client');
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
      return stream;
    },
    async close() {
      isClosed = true;
      for (const stream of [...streams]) stream.end('shutdown');
    },
  };
}

type PartHooksOf = (kind: LiveKind) => PartHooks;

function isNone(asked: readonly string[] | string): boolean {
  return asked.length === 0;
}

function closing(): LendingError {
  return new LendingError('DATA__UNAVAILABLE', {
    message: 'This instance stops — allowed: the same call — call again in a few seconds',
  });
}

function nothingIndexed(): LendingError {
  return new LendingError('DATA__NOT_READY', {
    message:
      'No activity was indexed yet — allowed: the same call once /readyz answers 200 — call again in a few seconds',
  });
}

/** Also for GraphQL, whose arguments are not parsed by the same schema. */
function checkQuestion(question: LiveQuestion, mostAddresses: number, callName: string): void {
  const lists = Object.values(question).filter((list) => typeof list !== 'string');
  if (lists.length === Object.keys(question).length && lists.every(isNone)) {
    throw invalid('Nothing is asked for', 'at least one of rates, banks, health and activity', callName, {
      fields: Object.keys(question),
    });
  }
  const named = lists.reduce((sum, list) => sum + list.length, 0);
  if (named > mostAddresses) {
    throw invalid(`A stream names ${named} addresses`, `up to ${mostAddresses} in all`, callName, {
      limit: mostAddresses,
    });
  }
}
