import type { LiveKind, LiveRecords } from '#records/live-fields.ts';

/** What can be followed: rates and states of banks and reserves, health and activity of accounts. */
export interface LiveQuestion {
  /** Banks and reserves whose newest rates are told; `all` for every one. */
  readonly rates: readonly string[] | 'all';
  /** Banks whose state, caps or allowed actions are told when they change. */
  readonly banks: readonly string[] | 'all';
  /** Accounts whose crossings from one health status to another are told. */
  readonly health: readonly string[];
  /** Accounts or authorities whose activity is told. */
  readonly activity: readonly string[];
}

/** One thing that happened. */
export type LiveEvent = {
  readonly [K in LiveKind]: {
    readonly kind: K;
    /** Everything told up to here, as text that any instance understands: who asks again with it hears what came after. */
    readonly id: string;
    readonly data: LiveRecords[K];
  };
}[LiveKind];

export interface FollowOptions {
  /** The id of the last event that was heard; null begins with what is now. */
  readonly after: string | null;
  readonly signal: AbortSignal;
}

/** Tells whoever listens what the projections wrote. Both doors that stream are made from it. */
export interface LiveHub {
  /**
   * Ends when the signal aborts or the hub closes. A slow reader is told the newest of each thing, not every one between.
   * @throws TOOL__INPUT_INVALID for an id that is none of ours or of another question, TOOL__STREAMS_EXCEEDED where no more are served.
   */
  follow(question: LiveQuestion, options: FollowOptions): AsyncIterable<LiveEvent>;
  /** Ends every stream. */
  close(): Promise<void>;
}
