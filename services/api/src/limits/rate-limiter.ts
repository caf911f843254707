/**
 * What requests are counted by, each with a limit of its own for a client and a minute: `/mcp`, `/v1`, `/v1/tx/*`, and building loops
 * and closes through either door.
 */
export type RateScope = 'mcp' | 'v1' | 'tx' | 'leverage';

/** How one scope of one client stands after a request. */
export interface ScopeState {
  readonly scope: RateScope;
  /** Requests in any 60 s. */
  readonly limit: number;
  readonly remaining: number;
  /** Until the oldest of them no longer counts, whole seconds rounded up; 0 where none is counted. */
  readonly resetS: number;
}

export type Verdict =
  | { readonly accepted: true; readonly states: readonly ScopeState[] }
  | {
      readonly accepted: false;
      readonly states: readonly ScopeState[];
      /** The scope that is empty, of several the one that stays so longest. */
      readonly scope: RateScope;
      readonly limit: number;
      /** Whole seconds, at least 1, after which the same is accepted if nothing else is asked meanwhile. */
      readonly retryAfterS: number;
    };

export interface RateLimiter {
  /** Takes `count` of every scope, or nothing of any. Never throws. */
  spend(client: string, scopes: readonly RateScope[], count: number): Promise<Verdict>;
  close(): Promise<void>;
}
