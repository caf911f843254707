import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import type { SourceBoard } from './source-board.ts';

/**
 * What every process does with what its chain client says: endpoints are logged once per change, and how far one is behind is a metric;
 * connections are logged for debugging; and all of it is kept on the board of sources, where there is one.
 */
export function chainHooks(
  logger: Logger,
  metrics: Metrics,
  board?: SourceBoard,
): {
  readonly onAttempt: (report: AttemptReport) => void;
  readonly onEndpointState: (change: EndpointChange) => void;
  readonly onEndpointLag: (change: EndpointLag) => void;
  readonly onEndpointSlot: SourceBoard['endpointShowed'];
  readonly onWatchState: SourceBoard['watchChanged'];
  readonly onWatchSlot: SourceBoard['watchTold'];
} {
  const logState = logEndpointChanges(logger);
  const reportLag = reportEndpointLag(logger, metrics);
  const timeAttempt = timeAttempts(metrics);
  return {
    onAttempt(report) {
      board?.attempted(report);
      timeAttempt(report);
    },
    onEndpointState(change) {
      board?.endpointChanged(change);
      logState(change);
    },
    onEndpointLag(change) {
      board?.endpointLags(change);
      reportLag(change);
    },
    onEndpointSlot: (sight) => board?.endpointShowed(sight),
    onWatchState(change) {
      board?.watchChanged(change);
      logger.debug('chain.watch.change', { ...change });
    },
    onWatchSlot: (sight) => board?.watchTold(sight),
  };
}

/** A change of an RPC endpoint as the chain client reports it. */
interface EndpointChange {
  readonly host: string;
  readonly state: string;
  readonly reason: string;
}

/** An endpoint that fell behind the others, or caught up, as the chain client reports it. */
interface EndpointLag {
  readonly host: string;
  readonly isLagging: boolean;
  readonly slotsBehind: number;
}

/** How a request to a node ended, as the chain client reports it. */
interface AttemptReport {
  readonly host: string;
  readonly outcome: string;
  readonly durationMs: number;
  readonly reason?: string;
}

function timeAttempts(metrics: Metrics): (report: AttemptReport) => void {
  const duration = metrics.histogram({
    name: 'chain.request.attempt',
    help: 'Seconds that one request to one RPC node took, by how it ended',
    unit: 'seconds',
    labels: ['host', 'outcome'],
  });
  return ({ host, outcome, durationMs }) => duration.observe({ host, outcome }, durationMs / 1000);
}

function reportEndpointLag(logger: Logger, metrics: Metrics): (change: EndpointLag) => void {
  const lag = metrics.gauge({
    name: 'chain.endpoint.lag',
    help: 'Slots an RPC node was behind the freshest one when it was last found lagging; 0 since it caught up',
    labels: ['host'],
  });
  return ({ host, isLagging, slotsBehind }) => {
    lag.set({ host }, isLagging ? slotsBehind : 0);
    if (isLagging)
      logger.warn('chain.endpoint.lag', {
        host,
        reason: `${host} is ${slotsBehind} slots behind; others are asked first`,
      });
    else logger.info('chain.endpoint.catch-up', { host });
  };
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
