import type { Metrics } from './metrics.ts';

type SourceKind = 'rpc' | 'pubsub' | 'polling' | 'yellowstone' | 'aggregator';

/** What a process hears from, as it sees it now. Ages are in milliseconds. */
export interface SourceSight {
  readonly kind: SourceKind;
  /** Host and port alone: the rest of a URL may hold a key. */
  readonly host: string;
  /**
   * `unknown` nothing was asked of it yet; `serving`; `lagging` behind the others, which are asked first; `resting` it failed and is left
   * alone for a while, or is being connected to; `refused` it serves another cluster.
   */
  readonly state: 'unknown' | 'serving' | 'lagging' | 'resting' | 'refused';
  /** Whether the next request goes there first, or a stream is heard from there. */
  readonly inUse: boolean;
  /** Newest confirmed slot it showed; null where it showed none. */
  readonly slot: bigint | null;
  readonly slotAgeMs: number | null;
  readonly answerAgeMs: number | null;
  /** A code for why it failed last; null since it answers again. */
  readonly error: string | null;
}

/** What a process knows of everything it hears from, from what its clients say of themselves. */
export interface SourceBoard {
  /** Shows a source before it is heard of; those of one kind in the order they are preferred. */
  declare(kind: SourceKind, host: string): void;
  attempted(report: { readonly host: string; readonly outcome: string; readonly reason?: string }): void;
  endpointChanged(change: { readonly host: string; readonly state: string }): void;
  endpointLags(change: { readonly host: string; readonly isLagging: boolean }): void;
  endpointShowed(sight: { readonly host: string; readonly slot: bigint }): void;
  watchChanged(change: {
    readonly watch: string;
    readonly kind: SourceKind;
    readonly host: string;
    readonly connected: boolean;
    readonly reason: string | null;
  }): void;
  watchTold(sight: { readonly kind: SourceKind; readonly slot: bigint }): void;
  aggregatorAnswered(host: string, error: string | null): void;
  list(): readonly SourceSight[];
}

interface Source {
  readonly kind: SourceKind;
  readonly host: string;
  slot: { readonly slot: bigint; readonly atMs: number } | null;
  answeredMs: number | null;
  error: string | null;
  breaker: 'unknown' | 'closed' | 'open' | 'mismatch';
  isLagging: boolean;
  /** Streams heard from there, each with whether it stands. */
  readonly watches: Map<string, boolean>;
}

/** Creates an empty board; with metrics, what stands on it is told there, too. */
export function createSourceBoard({
  metrics,
  now = () => performance.now(),
}: {
  readonly metrics?: Metrics;
  readonly now?: () => number;
} = {}): SourceBoard {
  const sources = new Map<string, Source>();
  /** Where a stream of each kind was connected last. */
  const heard = new Map<SourceKind, Source>();

  function find(kind: SourceKind, host: string): Source {
    const key = `${kind} ${host}`;
    const known = sources.get(key);
    if (known !== undefined) return known;
    const source: Source = {
      kind,
      host,
      slot: null,
      answeredMs: null,
      error: null,
      breaker: 'unknown',
      isLagging: false,
      watches: new Map(),
    };
    sources.set(key, source);
    return source;
  }

  function answered(source: Source): void {
    source.answeredMs = now();
    source.error = null;
    if (source.breaker === 'unknown') source.breaker = 'closed';
  }

  function show(source: Source, slot: bigint): void {
    source.slot = { slot, atMs: now() };
    source.answeredMs = source.slot.atMs;
  }

  const board: SourceBoard = {
    declare: (kind, host) => void find(kind, host),
    attempted({ host, outcome, reason }) {
      if (outcome === 'aborted') return;
      const source = find('rpc', host);
      if (outcome === 'ok' || isRefusedRequest(outcome, reason)) answered(source);
      else source.error = reasonCode(reason, outcome);
    },
    endpointChanged({ host, state }) {
      find('rpc', host).breaker = state as Source['breaker'];
    },
    endpointLags({ host, isLagging }) {
      find('rpc', host).isLagging = isLagging;
    },
    endpointShowed: ({ host, slot }) => show(find('rpc', host), slot),
    watchChanged({ watch, kind, host, connected, reason }) {
      for (const other of sources.values()) if (other.kind === kind) other.watches.delete(watch);
      const source = find(kind, host);
      source.watches.set(watch, connected);
      heard.set(kind, source);
      if (connected) answered(source);
      else source.error = reasonCode(reason ?? undefined, 'disconnected');
    },
    watchTold({ kind, slot }) {
      const source = heard.get(kind);
      if (source !== undefined) show(source, slot);
    },
    aggregatorAnswered(host, error) {
      const source = find('aggregator', host);
      if (error === null) answered(source);
      else source.error = error;
    },
    list() {
      const all = [...sources.values()];
      const rpc = all.filter(({ kind }) => kind === 'rpc');
      const first = rpc.find((source) => stateOf(source) === 'serving' || stateOf(source) === 'unknown') ?? rpc[0];
      return all.map((source) => ({
        kind: source.kind,
        host: source.host,
        state: stateOf(source),
        inUse: source.kind === 'rpc' ? source === first : isHeard(source),
        slot: source.slot?.slot ?? null,
        slotAgeMs: source.slot === null ? null : now() - source.slot.atMs,
        answerAgeMs: source.answeredMs === null ? null : now() - source.answeredMs,
        error: source.error,
      }));
    },
  };
  if (metrics !== undefined) exposeSources(board, metrics);
  return board;
}

/** Shows the nodes of a process before any is asked; the preferred one first. */
export function declareNodes(board: Pick<SourceBoard, 'declare'>, rpcUrls: readonly string[]): void {
  for (const url of rpcUrls) board.declare('rpc', new URL(url).host);
}

/** A node that understood and refused a request is well; one that refuses everybody says so by an HTTP status. */
function isRefusedRequest(outcome: string, reason: string | undefined): boolean {
  return outcome === 'refused' && reason?.startsWith('HTTP') !== true;
}

function stateOf(source: Source): SourceSight['state'] {
  if (source.kind === 'rpc') {
    if (source.breaker === 'mismatch') return 'refused';
    if (source.breaker === 'open') return 'resting';
    if (source.isLagging) return 'lagging';
    if (source.breaker === 'unknown') return source.error === null ? 'unknown' : 'resting';
    return 'serving';
  }
  if (source.kind === 'aggregator') {
    if (source.error !== null) return 'resting';
    return source.answeredMs === null ? 'unknown' : 'serving';
  }
  if (isHeard(source)) return 'serving';
  return source.watches.size === 0 ? 'unknown' : 'resting';
}

function isHeard(source: Source): boolean {
  if (source.kind === 'aggregator') return source.error === null && source.answeredMs !== null;
  return [...source.watches.values()].includes(true);
}

/** The code that a reason begins with; never its words, which are the other side's and may repeat what it was sent. */
function reasonCode(reason: string | undefined, otherwise: string): string {
  return reason?.match(/^(HTTP \d{3}|-?\d{3,6}\b|[A-Z][A-Z0-9_]{3,60}\b)/)?.[0] ?? otherwise;
}

function exposeSources(board: SourceBoard, metrics: Metrics): void {
  const labels = ['kind', 'host'] as const;
  const each = (figure: (sight: SourceSight) => number | null) => () =>
    board.list().flatMap((sight) => {
      const value = figure(sight);
      return value === null ? [] : [[{ kind: sight.kind, host: sight.host }, value] as const];
    });
  metrics.gauge({
    name: 'source.slot.newest',
    help: 'Newest confirmed slot that a source of the chain showed this process',
    labels,
    collectEach: each(({ slot }) => (slot === null ? null : Number(slot))),
  });
  metrics.gauge({
    name: 'source.answer.age_seconds',
    help: 'How long ago a source answered this process last',
    labels,
    collectEach: each(({ answerAgeMs }) => (answerAgeMs === null ? null : answerAgeMs / 1000)),
  });
  metrics.gauge({
    name: 'source.host.serve',
    help: '1 while a source serves this process, 0 while it lags, fails or is refused; none before it was asked',
    labels,
    collectEach: each(({ state }) => (state === 'unknown' ? null : Number(state === 'serving'))),
  });
}
