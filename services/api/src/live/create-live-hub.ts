import { describeError, LendingError } from '@lending/errors';
import type { Logger, Metrics } from '@lending/runtime';
import type { ChangeFeed } from '#reads/change-feed.ts';
import { findBank } from '#reads/find-bank.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { invalid } from '#tools/parse-input.ts';
import { createBankFeed } from './bank-feed.ts';
import type { FollowOptions, LiveHub, LiveQuestion } from './live-hub.ts';
import { type CloseReason, createLiveMetrics } from './live-metrics.ts';
import { type OpenStream, openStream } from './open-stream.ts';
import { createRateFeed } from './rate-feed.ts';
import { createStreamCount, type StreamLimits } from './stream-limits.ts';
import { decodePosition } from './stream-position.ts';

export interface LiveHubOptions {
  readonly reads: Pick<ReadDeps, 'banks' | 'reserves'>;
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
/** Topics whose rows are reserves and their rates. */
const RESERVE_TOPICS: ReadonlySet<string> = new Set(['rate.sampled.v1', 'reserve.updated.v1']);

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
  let stopListening: (() => void) | null = null;
  let isClosed = false;

  function listen(): void {
    if (stopListening !== null) return;
    const stops = [
      reads.banks.onLoad((snapshot) => {
        rates.takeBanks(snapshot);
        banks.take(snapshot);
      }),
      reads.reserves.onLoad((snapshot) => rates.takeReserves(snapshot)),
      feed.watch((change) => {
        if (change !== undefined && !RESERVE_TOPICS.has(change.topic)) return;
        if (rates.areReservesHeard()) reads.reserves.markChanged();
      }),
    ];
    const beat = setInterval(() => void refresh(), BEAT_MS).unref();
    stopListening = () => {
      clearInterval(beat);
      for (const stop of stops) stop();
    };
  }

  /** Asks for what is heard of, so that it is loaded anew where it is old. */
  async function refresh(): Promise<void> {
    const wanted = [reads.banks.get(), ...(rates.areReservesHeard() ? [reads.reserves.get()] : [])];
    for (const result of await Promise.allSettled(wanted)) {
      if (result.status === 'rejected') logger.warn('live.state.load', { error: describeError(result.reason) });
    }
  }

  function leave(stream: OpenStream, release: () => void, reason: CloseReason): void {
    streams.delete(stream);
    release();
    metrics.closed(reason);
    if (streams.size > 0) return;
    stopListening?.();
    stopListening = null;
  }

  async function begin(question: LiveQuestion, { after, callName }: FollowOptions, release: () => void) {
    const position = after === null ? null : decodePosition(after, question, callName);
    listen();
    const snapshot = await reads.banks.get();
    rates.takeBanks(snapshot);
    banks.take(snapshot);
    if (isClosed) throw closing();
    const reserves = question.rates === 'banks' || isNone(question.rates) ? null : await reads.reserves.get();
    if (reserves !== null) rates.takeReserves(reserves);
    if (typeof question.banks !== 'string') for (const address of question.banks) findBank(snapshot, address);
    if (typeof question.rates !== 'string') {
      for (const address of question.rates) if (!reserves?.entries.has(address)) findBank(snapshot, address);
    }
    if (isClosed) throw closing();
    const hooksOf = (kind: 'rate' | 'bank') => ({
      wake: () => stream.wake(),
      conflated: () => metrics.conflated(kind),
    });
    const stream: OpenStream = openStream(
      question,
      {
        rate: isNone(question.rates)
          ? null
          : rates.subscribe(question.rates, position?.ratesMs ?? null, hooksOf('rate')),
        bank: isNone(question.banks) ? null : banks.subscribe(question.banks, position?.banks ?? null, hooksOf('bank')),
      },
      { sent: (kind) => metrics.sent(kind), ended: (reason) => leave(stream, release, reason) },
    );
    streams.add(stream);
    return stream;
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
        if (streams.size === 0) {
          stopListening?.();
          stopListening = null;
        }
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

function isNone(asked: readonly string[] | string): boolean {
  return asked.length === 0;
}

function closing(): LendingError {
  return new LendingError('DATA__UNAVAILABLE', {
    message: 'This instance stops — allowed: the same call — call again in a few seconds',
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
