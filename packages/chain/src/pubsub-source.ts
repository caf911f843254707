import type { ChainHooks } from './chain-options.ts';
import type { ProgramSource } from './program-source.ts';
import { openPubSubConnection } from './pubsub-connection.ts';
import { connectInTurn, createTriedHost, type PubSubEndpoint } from './pubsub-endpoint.ts';
import { followConnections } from './source-connection.ts';

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
export function createPubSubSource({
  endpoints,
  slotTimeoutMs,
  maxReconnectMs,
  hooks,
}: PubSubSourceOptions): ProgramSource {
  return {
    kind: 'pubsub',
    watch: (target, { signal, capacity = CAPACITY }) => {
      const tried = createTriedHost(endpoints);
      return followConnections(
        connectInTurn(tried.endpoints, (endpoint, stopping) =>
          openPubSubConnection({ ...endpoint, target, slotTimeoutMs, capacity }, stopping),
        ),
        {
          signal,
          maxReconnectMs,
          goodAfterMs: slotTimeoutMs,
          onState: (reason) =>
            hooks.onWatchState?.({
              watch: target.program,
              kind: 'pubsub',
              host: tried.host(),
              connected: reason === null,
              reason,
            }),
        },
      );
    },
  };
}
