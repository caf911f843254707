import type { ChainHooks } from './chain-options.ts';
import type { ProgramSource } from './program-source.ts';
import { openPubSubConnection } from './pubsub-connection.ts';
import { followConnections } from './source-connection.ts';

export interface PubSubSourceOptions {
  readonly wsUrl: string;
  /** Without a slot for this long, in milliseconds, the socket is given up. */
  readonly slotTimeoutMs: number;
  /** Longest pause between reconnections, in milliseconds. */
  readonly maxReconnectMs: number;
  readonly hooks: ChainHooks;
}

/** Events that may wait while the consumer is busy; with their logs and bytes about 100 MB. */
const CAPACITY = 10_000;

/** Hears of a program by the subscriptions of a node's PubSub, on one socket per watch. */
export function createPubSubSource({
  wsUrl,
  slotTimeoutMs,
  maxReconnectMs,
  hooks,
}: PubSubSourceOptions): ProgramSource {
  return {
    kind: 'pubsub',
    watch: (target, { signal, capacity = CAPACITY }) =>
      followConnections((connecting) => openPubSubConnection({ wsUrl, target, slotTimeoutMs, capacity }, connecting), {
        signal,
        maxReconnectMs,
        goodAfterMs: slotTimeoutMs,
        onState: (reason) => hooks.onWatchState?.({ watch: target.program, connected: reason === null, reason }),
      }),
  };
}
