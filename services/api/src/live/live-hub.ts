import type { LiveKind, LiveRecords } from '#records/live-fields.ts';

/** What can be followed: rates and states of banks and reserves, health and activity of accounts. */
export interface LiveQuestion {
  /** Banks and reserves whose newest rates are told; `all` for every one, `banks` for every bank. */
  readonly rates: readonly string[] | 'all' | 'banks';
  /** Banks whose state, caps or allowed actions are told when they change. */
  readonly banks: readonly string[] | 'all';
  /** Accounts, or owners of one account, whose crossings from one health status to another are told. */
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
  /** Who listens, as `clientOf` names callers: each has so many streams. */
  readonly client: string;
  /** Ends the stream. */
  readonly signal: AbortSignal;
  /** What to name in an error's "next call". */
  readonly callName: string;
}

/** What one listener hears. Ends when its signal aborts or the hub closes; can be read once. */
export interface LiveStream extends AsyncIterable<LiveEvent> {
  /** The id of everything told so far: also where nothing was to be told yet. */
  position(): string;
}

/** Tells whoever listens what the projections wrote. Both doors that stream are made from it. */
export interface LiveHub {
  /**
   * Begins with what is now, or with what came after an id. A slow reader is told the newest of each thing, not every one between.
   * @throws TOOL__INPUT_INVALID for an id that is none of ours or of another question, and where nothing is asked.
   * @throws TOOL__STREAMS_EXCEEDED where no more are served.
   * @throws READ__BANK_NOT_FOUND, READ__ACCOUNT_NOT_FOUND or READ__ACCOUNT_MISMATCH for addresses that cannot be followed.
   * @throws DATA__NOT_READY or STORE__UNAVAILABLE where nothing is known to begin with.
   */
  follow(question: LiveQuestion, options: FollowOptions): Promise<LiveStream>;
  /** Ends every stream, and serves no more. */
  close(): Promise<void>;
}
