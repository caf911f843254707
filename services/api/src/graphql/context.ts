import type { ReadDeps } from '#reads/read-deps.ts';
import type { LiveHub } from '../live/live-hub.ts';

/** What every resolver is handed: what it reads from, and what is kept while one request is answered. */
export interface GraphqlContext {
  readonly reads: ReadDeps;
  /** What subscriptions are made of. */
  readonly live: LiveHub;
  /** Who asks, as streams are counted. */
  readonly client: string;
  /** In every error of the answer, and in the log beside its cause. */
  readonly requestId: string;
  /** Aborted when the caller goes away, or when the time for a query is up. */
  readonly signal: AbortSignal;
  /**
   * What `create` makes, once for each request: a DataLoader, or a snapshot that all fields of one answer see alike.
   * `create` itself is the key, so it is a function of a module and not one written where it is used.
   */
  once<T>(create: (context: GraphqlContext) => T): T;
}

export interface ContextOptions {
  readonly reads: ReadDeps;
  readonly live: LiveHub;
  readonly client: string;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

export function createContext(options: ContextOptions): GraphqlContext {
  const made = new Map<unknown, unknown>();
  const context: GraphqlContext = {
    ...options,
    once<T>(create: (context: GraphqlContext) => T): T {
      if (!made.has(create)) made.set(create, create(context));
      return made.get(create) as T;
    },
  };
  return context;
}

/** What an error's "next call" names at this door. */
export const CALL_NAME = 'the query';
