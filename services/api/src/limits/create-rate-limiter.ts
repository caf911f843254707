import type { Logger, Metrics } from '@lending/runtime';
import type { PermitAnswer, PermitRequest } from '@lending/store';
import { ClientWindows } from './client-windows.ts';
import { HANDFUL_MS, permitRequest } from './handfuls.ts';
import type { RateLimiter, RateScope, Verdict } from './rate-limiter.ts';
import type { RateStore } from './rate-store.ts';
import { createSharedWindows } from './shared-windows.ts';

/** Rows and memory of clients that are idle are cleared away so often. */
const TIDY_MS = 30_000;

/** Clients that are kept in mind; of more, those that came first are forgotten, and the database asked. */
const MOST_CLIENTS = 50_000;

export interface RateLimiterOptions {
  /** Requests in any 60 s, of one client. */
  readonly limits: Readonly<Record<RateScope, number>>;
  readonly store: RateStore;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** A clock that is never set, whole ms. */
  readonly now?: () => number;
}

interface KnownClient {
  readonly windows: ClientWindows;
  /** Questions to the database are asked one after the other. */
  turn: Promise<unknown>;
  asking: number;
}

/**
 * Counts requests of clients over a sliding minute, together with all processes that share the database: it alone grants, under its own
 * clock. A client that is known to have nothing left is refused without a question.
 *
 * Where a limit is large, requests are granted by the handful: they count from the grant until a minute after the last moment at which
 * they may come. So no more than the limit come within a minute, and what does not come is lost.
 *
 * While the database is away each process grants by what it granted itself.
 */
export function createRateLimiter({ limits, store, logger, metrics, now }: RateLimiterOptions): RateLimiter {
  const clock = now ?? wholeMs;
  const clients = new Map<string, KnownClient>();
  const shared = createSharedWindows({ store, logger, metrics, clock });
  const refusals = metrics.counter({
    name: 'api.rate.refuse',
    help: 'Requests refused because a client had made too many, by the limit that it met',
    labels: ['scope'],
  });
  metrics.gauge({ name: 'api.rate.follow', help: 'Clients whose requests are counted', collect: () => clients.size });
  const tidying = setInterval(tidy, TIDY_MS);
  tidying.unref();

  function tidy(): void {
    const nowMs = clock();
    for (const [client, { windows, asking }] of clients) {
      if (asking === 0 && windows.isIdle(nowMs)) clients.delete(client);
    }
    void shared.tidy();
  }

  function knownOf(client: string): KnownClient {
    const known = clients.get(client);
    if (known !== undefined) return known;
    if (clients.size >= MOST_CLIENTS) {
      const [first] = clients.keys();
      if (first !== undefined) clients.delete(first);
    }
    const fresh: KnownClient = { windows: new ClientWindows(limits), turn: Promise.resolve(), asking: 0 };
    clients.set(client, fresh);
    return fresh;
  }

  function lackingOf(windows: ClientWindows, scopes: readonly RateScope[], count: number): readonly RateScope[] {
    const nowMs = clock();
    return scopes.filter((scope) => windows.inHand(scope, nowMs) < count);
  }

  /** What is known without a question: what counts may have become more since it was told, and never less. */
  function refuse(windows: ClientWindows, scopes: readonly RateScope[], count: number): Verdict | null {
    const nowMs = clock();
    const isEmpty = lackingOf(windows, scopes, count).some((scope) => windows.room(scope, nowMs) < count);
    return isEmpty ? windows.refuse(scopes, count, nowMs) : null;
  }

  async function ask(client: string, windows: ClientWindows, scopes: readonly RateScope[], count: number) {
    const refused = refuse(windows, scopes, count);
    if (refused !== null) return refused;
    const askedMs = clock();
    const lacking = lackingOf(windows, scopes, count);
    const givenBack = scopes.filter((scope) => !lacking.includes(scope)).map((scope) => windows.use(scope, count));
    if (lacking.length === 0) return windows.accept(scopes, askedMs);
    const requests = lacking.map((scope) =>
      permitRequest(scope, { limit: limits[scope], count, room: windows.room(scope, askedMs) }),
    );
    const answer = await shared.take(client, requests);
    const nowMs = clock();
    if (answer !== null) windows.see(lacking, answer.counted, nowMs);
    if (answer?.granted === false) {
      for (const giveBack of givenBack) giveBack();
      return windows.refuse(scopes, count, nowMs);
    }
    for (const request of requests) {
      const granted = grantedOf(request, answer);
      windows.grant(request.scope, {
        count: granted,
        endsAtMs: nowMs + request.countsMs,
        inHand: granted - count,
        untilMs: askedMs + HANDFUL_MS,
      });
    }
    return windows.accept(scopes, nowMs);
  }

  async function spend(client: string, scopes: readonly RateScope[], count: number): Promise<Verdict> {
    const known = knownOf(client);
    const { windows } = known;
    const refused = refuse(windows, scopes, count);
    if (refused !== null) return refused;
    // Nothing is asked where all is in hand; then what comes first is answered first, too.
    const isFirst = known.asking === 0;
    known.asking += 1;
    const answered = isFirst
      ? ask(client, windows, scopes, count)
      : known.turn.then(() => ask(client, windows, scopes, count));
    known.turn = answered;
    return answered.finally(() => {
      known.asking -= 1;
    });
  }

  return {
    async spend(client, scopes, count) {
      const verdict = await spend(client, scopes, count);
      if (!verdict.accepted) refusals.inc({ scope: verdict.scope });
      return verdict;
    },
    async close() {
      clearInterval(tidying);
      await shared.close();
    },
  };
}

/** Whole, because of fractions a minute later less now is more than a minute. */
function wholeMs(): number {
  return Math.floor(performance.now());
}

/** What was granted comes last in the answer; without one it is what was asked for. */
function grantedOf({ scope, want }: PermitRequest, answer: PermitAnswer | null): number {
  return answer?.counted.findLast((counted) => counted.scope === scope)?.count ?? want;
}
