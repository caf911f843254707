import type { Aggregator } from '../aggregators/aggregator.ts';
import type { FoundSwap, SwapRequest } from '../swap-finder.ts';
import type { AggregatorName, SwapRoute, TriedSwap } from '../swap-route.ts';
import type { Attempt, Candidate, Miss } from './attempt.ts';
import { compareRoutes, lossBpsOf } from './compare-routes.ts';
import { type FindContext, lookAt, queryOf } from './look-at.ts';
import { firstRung, nextRung, type Rung } from './rungs.ts';
import { askOnce, sizeRoute } from './size-route.ts';

/** As much less is taken for a plan that is one transaction, and no bundle that only some nodes land. */
const ONE_TRANSACTION_BPS = 10;

/** One aggregator at one step of the ladder. */
interface Asking {
  readonly aggregator: Aggregator;
  readonly rung: Rung;
  readonly inBase: bigint;
  /** Of no other amount. */
  readonly isFixed: boolean;
}

/** A candidate, and how it was asked for. */
interface Offered extends Asking {
  readonly route: SwapRoute;
}

/** One finding, with what it has tried so far. */
export class Search {
  readonly #request: SwapRequest;
  readonly #context: FindContext;
  readonly misses: Miss[] = [];
  readonly tried: TriedSwap[] = [];
  /** Why plans did not fit, in the order they were put together. */
  readonly tooLarge: Error[] = [];

  constructor(request: SwapRequest, context: FindContext) {
    this.#request = request;
    this.#context = context;
  }

  /** Null where none of these aggregators has a swap that will do. */
  async run(names: readonly AggregatorName[], fixedIn: bigint | null): Promise<FoundSwap | null> {
    const rung = firstRung(this.#request.accountsLeft);
    const inBase = fixedIn ?? this.#request.inBase;
    const aggregators = this.#context.aggregators.filter(({ name }) => names.includes(name));
    let asked: readonly Asking[] = aggregators.map((aggregator) => ({
      aggregator,
      rung,
      inBase,
      isFixed: fixedIn !== null,
    }));
    let deadline = this.#deadline();
    let unbound: SwapRoute | null = null;
    while (asked.length > 0) {
      const offered = await this.#askAll(asked, deadline);
      const isLadder: boolean = unbound !== null;
      unbound ??= offered[0]?.route ?? null;
      const route = await this.#choose(offered, deadline);
      if (route !== null) return { route, tried: this.tried, lossBps: lossBpsOf(unbound ?? route, route) };
      asked = offered.flatMap(tighter);
      // The whole ladder has one deadline of its own: putting plans together took time that aggregators did not have.
      if (!isLadder) deadline = this.#deadline();
    }
    return null;
  }

  #deadline(): AbortSignal {
    return AbortSignal.timeout(this.#context.deadlineMs);
  }

  /** Candidates, best first. Who offers none is noted. */
  async #askAll(asked: readonly Asking[], deadline: AbortSignal): Promise<readonly Offered[]> {
    const patience = new AbortController();
    const signal = AbortSignal.any([deadline, patience.signal]);
    let timer: NodeJS.Timeout | undefined;
    const attempts = await Promise.all(
      asked.map(async (asking) => {
        const attempt = await this.#ask(asking, signal, false);
        if (attempt.kind === 'candidate') timer ??= setTimeout(() => patience.abort(), this.#context.patienceMs);
        return { asking, attempt };
      }),
    );
    clearTimeout(timer);
    const offered = attempts.flatMap(({ asking, attempt }) => this.#kept(asking, attempt));
    return offered.sort((one, other) => compareRoutes(one.route, other.route));
  }

  #ask({ aggregator, rung, inBase, isFixed }: Asking, signal: AbortSignal, forBundle: boolean): Promise<Attempt> {
    const { signal: caller } = this.#request;
    const ending = caller === undefined ? signal : AbortSignal.any([signal, caller]);
    const look = (amount: bigint) =>
      lookAt(aggregator, queryOf(this.#request, amount, rung, forBundle), this.#request, this.#context, ending);
    return isFixed ? askOnce(look, this.#request, inBase) : sizeRoute(look, this.#request, inBase);
  }

  #kept(asking: Asking, attempt: Attempt): readonly Offered[] {
    if (attempt.kind === 'candidate') return [{ ...asking, route: attempt.route }];
    const { kind, aggregator, reason } = attempt;
    this.misses.push(attempt);
    const { inBase = null, outBase = null } = kind === 'refused' ? attempt : {};
    this.tried.push({ aggregator, outcome: kind, reason, inBase, outBase });
    return [];
  }

  /** The first that fits. One that takes a bundle waits for one that does not and is hardly worse. */
  async #choose(offered: readonly Offered[], deadline: AbortSignal): Promise<SwapRoute | null> {
    const bundled: Offered[] = [];
    const left = [...offered];
    for (const each of offered) {
      const [best] = bundled;
      if (best !== undefined && lossBpsOf(best.route, each.route) > ONE_TRANSACTION_BPS) break;
      const fit = await this.#fits(each);
      if (fit === 'sequential') return this.#finish(each.route, [...bundled, ...left.slice(1)]);
      left.shift();
      if (fit === 'bundle') bundled.push(each);
    }
    for (const [index, each] of bundled.entries()) {
      const again = await this.#againForBundle(each, deadline);
      if (again !== null) return this.#finish(again, [...bundled.slice(index + 1), ...left]);
    }
    return left.length === 0 ? null : this.#choose(left, deadline);
  }

  async #fits({ aggregator, route }: Offered): Promise<'sequential' | 'bundle' | null> {
    const fit = await this.#request.fit(route);
    if (fit.kind === 'fits') return fit.submit;
    const { inBase, outBase } = route.quote;
    this.tooLarge.push(fit.error);
    this.tried.push({ aggregator: aggregator.name, outcome: 'refused', reason: 'too_large', inBase, outBase });
    return null;
  }

  /** Some venues do not work in bundles: the same is asked for without them. */
  async #againForBundle(asking: Offered, deadline: AbortSignal): Promise<SwapRoute | null> {
    const attempt = await this.#ask({ ...asking, inBase: asking.route.quote.inBase }, deadline, true);
    const [again] = this.#kept(asking, attempt);
    return again !== undefined && (await this.#fits(again)) !== null ? again.route : null;
  }

  #finish(chosen: SwapRoute, beaten: readonly Candidate[] | readonly Offered[]): SwapRoute {
    this.tried.push(triedOf(chosen, 'chosen'));
    for (const { route } of beaten) {
      this.tried.push(triedOf(route, 'beaten'));
    }
    return chosen;
  }
}

function tighter(offered: Offered): readonly Asking[] {
  const { aggregator, route, isFixed } = offered;
  const rung = nextRung(aggregator, offered.rung, route);
  return rung === null ? [] : [{ aggregator, rung, inBase: route.quote.inBase, isFixed }];
}

function triedOf({ quote: { aggregator, inBase, outBase } }: SwapRoute, outcome: 'chosen' | 'beaten'): TriedSwap {
  return { aggregator, outcome, reason: null, inBase, outBase };
}
