import type { CountedPermits } from '@lending/store';
import { PermitWindow } from './permit-window.ts';
import type { RateScope, ScopeState, Verdict } from './rate-limiter.ts';

/** Requests of one scope that were granted by the handful, and are still to come. */
interface Handful {
  left: number;
  readonly untilMs: number;
}

/** One scope of one client. */
interface ScopeWindows {
  /** What this process granted, by its own clock: holds while the database is away, and whatever becomes of its clock. */
  readonly own: PermitWindow;
  /** What all processes granted, as the database said last. It may be more by now, and never less. */
  seen: PermitWindow;
  handful: Handful;
}

const NOTHING: Handful = { left: 0, untilMs: 0 };

/** What a process knows of one client. Times are of a clock that is never set, ms. */
export class ClientWindows {
  readonly #limits: Readonly<Record<RateScope, number>>;
  readonly #scopes = new Map<RateScope, ScopeWindows>();

  constructor(limits: Readonly<Record<RateScope, number>>) {
    this.#limits = limits;
  }

  /** Requests of a scope that were granted and may come now. */
  inHand(scope: RateScope, nowMs: number): number {
    const { handful } = this.#windowsOf(scope);
    return handful.untilMs > nowMs ? handful.left : 0;
  }

  /** Uses up requests that are in hand. Answers how to give them back, where they did not come after all. */
  use(scope: RateScope, count: number): () => void {
    const { handful } = this.#windowsOf(scope);
    handful.left -= count;
    return () => {
      handful.left += count;
    };
  }

  /** Room for requests that were not granted yet, as far as this process knows. */
  room(scope: RateScope, nowMs: number): number {
    return Math.max(0, this.#limits[scope] - this.#counted(scope, nowMs));
  }

  /** Notes what was granted, of which some is kept in hand until a time. */
  grant(
    scope: RateScope,
    granted: { readonly count: number; readonly endsAtMs: number; readonly inHand: number; readonly untilMs: number },
  ): void {
    const windows = this.#windowsOf(scope);
    windows.own.add(granted);
    windows.handful = { left: granted.inHand, untilMs: granted.untilMs };
  }

  /** Notes what the database says of scopes that it was asked about. */
  see(scopes: readonly RateScope[], counted: readonly CountedPermits[], nowMs: number): void {
    for (const scope of scopes) {
      const ofScope = counted.filter((one) => one.scope === scope);
      const ends = ofScope.map(({ count, endsInMs }) => ({ count, endsAtMs: nowMs + endsInMs }));
      this.#windowsOf(scope).seen = new PermitWindow(ends);
    }
  }

  /** Whether nothing counts any more: then nothing is lost by forgetting the client. */
  isIdle(nowMs: number): boolean {
    return [...this.#scopes.keys()].every((scope) => this.#counted(scope, nowMs) === 0);
  }

  accept(scopes: readonly RateScope[], nowMs: number): Verdict {
    return { accepted: true, states: this.#states(scopes, nowMs) };
  }

  /** Refuses `count` requests because of the scope that has no room for them longest. */
  refuse(scopes: readonly RateScope[], count: number, nowMs: number): Verdict {
    const waits = scopes.map((scope) => ({ scope, waitMs: this.#waitMs(scope, count, nowMs) }));
    const { scope, waitMs } = waits.reduce((longest, wait) => (wait.waitMs > longest.waitMs ? wait : longest));
    const retryAfterS = Math.max(1, Math.ceil(waitMs / 1_000));
    return { accepted: false, states: this.#states(scopes, nowMs), scope, limit: this.#limits[scope], retryAfterS };
  }

  #states(scopes: readonly RateScope[], nowMs: number): readonly ScopeState[] {
    return scopes.map((scope) => {
      const { own, seen } = this.#windowsOf(scope);
      const fuller = own.countAt(nowMs) > seen.countAt(nowMs) ? own : seen;
      return {
        scope,
        limit: this.#limits[scope],
        remaining: this.room(scope, nowMs) + this.inHand(scope, nowMs),
        resetS: Math.ceil(fuller.resetMs(nowMs) / 1_000),
      };
    });
  }

  #counted(scope: RateScope, nowMs: number): number {
    const { own, seen } = this.#windowsOf(scope);
    return Math.max(own.countAt(nowMs), seen.countAt(nowMs));
  }

  #waitMs(scope: RateScope, count: number, nowMs: number): number {
    const { own, seen } = this.#windowsOf(scope);
    const most = Math.max(0, this.#limits[scope] - count);
    return Math.max(own.waitMs(nowMs, most), seen.waitMs(nowMs, most));
  }

  #windowsOf(scope: RateScope): ScopeWindows {
    const known = this.#scopes.get(scope);
    if (known !== undefined) return known;
    const fresh = { own: new PermitWindow(), seen: new PermitWindow(), handful: NOTHING };
    this.#scopes.set(scope, fresh);
    return fresh;
  }
}
