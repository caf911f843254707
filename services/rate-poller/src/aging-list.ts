import { LendingError } from '@lending/errors';

export interface AgingListOptions<T> {
  /** Asks for the list anew. */
  readonly search: (signal: AbortSignal) => Promise<readonly T[]>;
  /** How old the list may get before it is asked for again, in milliseconds. */
  readonly maxAgeMs: number;
  /** Told how every search went: null when it succeeded. */
  readonly onSearch: (error: unknown) => void;
  /** How many stand in it whatever the node lists; default: none. */
  readonly unlisted?: number;
}

/** A list that is dear to ask for and changes seldom. */
export interface AgingList<T> {
  /**
   * The list as last answered. Waits for a search only while there was none, and fails with that one. A list that is too old is
   * answered as it is, while it is asked for again beside it: a node that serves accounts but no listing must not hold up what is read.
   * An empty list where there was one is not believed.
   */
  get(signal: AbortSignal): Promise<readonly T[]>;
  /** Calls the list too old: it does not hold what was looked for. */
  expire(): void;
  /** Resolves when no search runs any more. */
  idle(): Promise<void>;
}

export function createAgingList<T>(options: AgingListOptions<T>): AgingList<T> {
  const { maxAgeMs, onSearch, unlisted = 0 } = options;
  let items: readonly T[] | null = null;
  let searchedAt = Number.NEGATIVE_INFINITY;
  let searching: Promise<void> | undefined;
  let first: Promise<void> | undefined;

  async function search(signal: AbortSignal): Promise<void> {
    try {
      const found = await options.search(signal);
      // A node that lost its index of accounts lists nothing of what it still serves.
      if (found.length <= unlisted && items !== null && items.length > unlisted)
        throw listsNothing(items.length - unlisted);
      items = found;
      searchedAt = performance.now();
      onSearch(null);
    } catch (error) {
      if (!signal.aborted) onSearch(error);
      throw error;
    }
  }

  async function searchBeside(signal: AbortSignal): Promise<void> {
    try {
      await search(signal);
    } catch {
      // Told already; the old list goes on.
    } finally {
      searching = undefined;
    }
  }

  /** Several beats may ask for the first list at once. */
  async function searchOnce(signal: AbortSignal): Promise<void> {
    first ??= search(signal).finally(() => {
      first = undefined;
    });
    await first;
  }

  return {
    async get(signal) {
      if (items === null) await searchOnce(signal);
      else if (performance.now() - searchedAt > maxAgeMs) searching ??= searchBeside(signal);
      return items ?? [];
    },
    expire() {
      searchedAt = Number.NEGATIVE_INFINITY;
    },
    idle: async () => searching,
  };
}

function listsNothing(before: number): LendingError {
  return new LendingError('CHAIN__LISTING_INVALID', {
    message: `The RPC node lists no account where it listed ${before} before`,
    context: { before },
  });
}
