import { LendingError } from '@lending/errors';

/** A node whose subscriptions can be heard. */
export interface PubSubEndpoint {
  readonly wsUrl: string;
  /** Whether others are ahead of it. */
  isLagging(): boolean;
  /** Rejects when it may not be used, such as one of another cluster. */
  admit(): Promise<void>;
}

/** A node to connect to. */
export interface ChosenEndpoint {
  readonly wsUrl: string;
  /** Whether another node should be heard instead, because this one is behind. */
  readonly isLagging: () => boolean;
}

/** Connects to the endpoints, preferred first and asked for before every connection; to the next one when one fails. */
export function connectInTurn<C>(
  endpoints: () => readonly PubSubEndpoint[],
  open: (endpoint: ChosenEndpoint, signal: AbortSignal) => Promise<C>,
): (signal: AbortSignal) => Promise<C> {
  let failures = 0;
  return async (signal) => {
    const all = endpoints();
    const endpoint = all[failures % all.length];
    if (endpoint === undefined)
      throw new LendingError('CHAIN__RPC_INVALID', { message: 'No PubSub endpoint is given; at least one is needed' });
    failures += 1;
    await endpoint.admit();
    // Where all are behind, one of them is better than none.
    const isLagging = () => endpoint.isLagging() && endpoints().some((other) => !other.isLagging());
    const connection = await open({ wsUrl: endpoint.wsUrl, isLagging }, signal);
    failures = 0;
    return connection;
  };
}

/** Remembers which of the endpoints is connected to, or was tried last: the one that was asked last whether it may be used. */
export function createTriedHost(endpoints: () => readonly PubSubEndpoint[]): {
  readonly endpoints: () => readonly PubSubEndpoint[];
  readonly host: () => string;
} {
  let tried: string | undefined;
  return {
    endpoints: () =>
      endpoints().map((endpoint) => ({
        ...endpoint,
        admit() {
          tried = endpoint.wsUrl;
          return endpoint.admit();
        },
      })),
    host: () => new URL(tried ?? endpoints()[0]?.wsUrl ?? 'ws://unknown').host,
  };
}
