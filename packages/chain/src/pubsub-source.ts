import { LendingError } from '@lending/errors';
import type { ChainHooks } from './chain-options.ts';
import type { ProgramSource, ProgramTarget } from './program-source.ts';
import { openPubSubConnection } from './pubsub-connection.ts';
import { followConnections, type SourceConnection } from './source-connection.ts';

/** A node whose subscriptions can be heard. */
export interface PubSubEndpoint {
  readonly wsUrl: string;
  /** Whether others are ahead of it. */
  isLagging(): boolean;
  /** Rejects when it may not be used, such as one of another cluster. */
  admit(): Promise<void>;
}

export interface PubSubSourceOptions {
  /** Preferred first; asked before every connection. */
  readonly endpoints: () => readonly PubSubEndpoint[];
  /** Without a slot for this long, in milliseconds, the socket is given up. */
  readonly slotTimeoutMs: number;
  /** Longest pause between reconnections, in milliseconds. */
  readonly maxReconnectMs: number;
  readonly hooks: ChainHooks;
}

/** Events that may wait while the consumer is busy; with their logs and bytes about 100 MB. */
const CAPACITY = 10_000;

/** Hears of a program by the subscriptions of one node at a time, on one socket per watch; the next node is tried when one fails. */
export function createPubSubSource(options: PubSubSourceOptions): ProgramSource {
  const { slotTimeoutMs, maxReconnectMs, hooks } = options;
  return {
    kind: 'pubsub',
    watch: (target, { signal, capacity = CAPACITY }) =>
      followConnections(createConnect(options, target, capacity), {
        signal,
        maxReconnectMs,
        goodAfterMs: slotTimeoutMs,
        onState: (reason) => hooks.onWatchState?.({ watch: target.program, connected: reason === null, reason }),
      }),
  };
}

function createConnect({ endpoints, slotTimeoutMs }: PubSubSourceOptions, target: ProgramTarget, capacity: number) {
  let failures = 0;
  return async (signal: AbortSignal): Promise<SourceConnection> => {
    const all = endpoints();
    const endpoint = all[failures % all.length];
    if (endpoint === undefined)
      throw new LendingError('CHAIN__RPC_INVALID', { message: 'No PubSub endpoint is given; at least one is needed' });
    failures += 1;
    const { wsUrl } = endpoint;
    await endpoint.admit();
    // Where all are behind, one of them is better than none.
    const isLagging = () => endpoint.isLagging() && endpoints().some((other) => !other.isLagging());
    const connection = await openPubSubConnection({ wsUrl, target, slotTimeoutMs, capacity, isLagging }, signal);
    failures = 0;
    return connection;
  };
}
