import type { Logger } from './logger.ts';

/** What every process does with what its chain client says: endpoints are logged once per change, connections for debugging. */
export function chainHooks(logger: Logger): {
  readonly onEndpointState: (change: EndpointChange) => void;
  readonly onWatchState: (change: object) => void;
} {
  return {
    onEndpointState: logEndpointChanges(logger),
    onWatchState: (change) => logger.debug('chain.watch.change', { ...change }),
  };
}

/** A change of an RPC endpoint as the chain client reports it. */
interface EndpointChange {
  readonly host: string;
  readonly state: string;
  readonly reason: string;
}

/** Logs each endpoint's changes: once when it is lost, once when it is back, however often it is tried in between. */
function logEndpointChanges(logger: Logger): (change: EndpointChange) => void {
  const states = new Map<string, string>();
  return ({ host, state, reason }) => {
    if ((states.get(host) ?? 'closed') === state) return;
    states.set(host, state);
    if (state === 'closed') logger.info('chain.endpoint.resume', { host });
    else logger.warn('chain.endpoint.fail', { host, reason: `${host} does not serve: ${reason}` });
  };
}
