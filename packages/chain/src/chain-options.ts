import type { Commitment } from '@solana/kit';

/** Which chain stands behind the RPC URLs. Configured, never guessed: every reply repeats it. */
export type ChainSource = 'chain' | 'localnet';

/** How a watch hears of the chain. */
export type WatchKind = 'pubsub' | 'polling' | 'yellowstone';

/** How an attempt on one endpoint ended: `ok`, or the reason it did not. */
export interface AttemptReport {
  readonly method: string;
  /** Host and port only; the path and query of an RPC URL may hold an API key. */
  readonly host: string;
  readonly outcome: 'ok' | 'refused' | 'unavailable' | 'timed-out' | 'aborted';
  readonly durationMs: number;
  readonly reason?: string;
}

/** Where the package tells what it sees; the caller turns these into logs and metrics. */
export interface ChainHooks {
  /** After every HTTP attempt. */
  readonly onAttempt?: (report: AttemptReport) => void;
  /** An endpoint is left alone for a while, is in use again, or is refused for good because of its cluster. */
  readonly onEndpointState?: (change: {
    readonly host: string;
    readonly state: 'open' | 'closed' | 'mismatch';
    readonly reason: string;
  }) => void;
  /** An endpoint fell behind the freshest one, and is asked after the others; or it caught up. */
  readonly onEndpointLag?: (change: {
    readonly host: string;
    readonly isLagging: boolean;
    readonly slotsBehind: number;
  }) => void;
  /** An endpoint showed a confirmed slot. */
  readonly onEndpointSlot?: (sight: { readonly host: string; readonly slot: bigint }) => void;
  /** A stream told that a slot is confirmed; by the source that connected last of its kind. */
  readonly onWatchSlot?: (sight: { readonly kind: WatchKind; readonly slot: bigint }) => void;
  /** A watch connected or lost its connection; `reason` is null when connected, unless the node refuses some of what is asked for. */
  readonly onWatchState?: (change: {
    readonly watch: string;
    readonly kind: WatchKind;
    /** Host and port only; of a polling source, of the endpoint that is preferred. */
    readonly host: string;
    readonly connected: boolean;
    readonly reason: string | null;
  }) => void;
}

export interface ChainOptions {
  /** HTTP endpoints of one cluster, preferred first. */
  readonly rpcUrls: readonly string[];
  /** PubSub endpoint; default: the RPC URLs with the scheme `ws` or `wss`, of which the freshest one is heard. */
  readonly wsUrl?: string;
  readonly source?: ChainSource;
  /** Per attempt; default 5,000. */
  readonly requestTimeoutMs?: number;
  /** All attempts of one request together; default 15,000. */
  readonly deadlineMs?: number;
  /** Rounds over the endpoints; default 4. */
  readonly maxRounds?: number;
  /** Pause after the first round (default 150); later ones grow, with jitter, up to `maxBackoffMs` (default 3,000). */
  readonly minBackoffMs?: number;
  readonly maxBackoffMs?: number;
  /** Consecutive failures after which an endpoint is left alone (default 5), and for how long at first (default 2,000); four times that at most. */
  readonly breakerFailures?: number;
  readonly breakerPauseMs?: number;
  /** With several endpoints, how often all are asked for their slot while requests are made; default 5,000. */
  readonly slotProbeMs?: number;
  /** Batched reads in flight at once; default 8. */
  readonly maxParallelReads?: number;
  /** The cluster that every endpoint must serve; default: that of the endpoint that answers first. */
  readonly genesisHash?: string;
  /** A watch without a slot notification for this long reconnects; default 5,000. */
  readonly slotTimeoutMs?: number;
  /** Longest pause between reconnections; default 15,000. */
  readonly maxReconnectMs?: number;
}

/** Options of every read. */
export interface ReadOptions {
  readonly signal?: AbortSignal;
  /** Default `confirmed`. */
  readonly commitment?: Commitment;
  /** The answer is of this slot or later; `highest-seen`: not older than anything this chain object has seen. */
  readonly minContextSlot?: bigint | 'highest-seen';
}
