import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { fetchJson, RequestError } from './fetch-json.ts';

interface Page {
  readonly next_cursor: string | null;
}

/** Pages after the first one, asked for one by one. */
export interface More<T> {
  readonly pages: readonly T[];
  /** Why the newest attempt failed; null when it did not. */
  readonly error: RequestError | null;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  /** Asks for the next one. */
  more(): void;
}

const NONE = { pages: [], error: null, isLoading: false } as const;

/** Goes on from `first`, the answer of `path`; another answer begins anew. */
export function useMore<T extends Page>(path: string | null, first: T | null): More<T> {
  const [state, setState] = useState<Pick<More<T>, 'pages' | 'error' | 'isLoading'>>(NONE);
  const running = useRef<AbortController | null>(null);
  useEffect(() => {
    setState(NONE);
    return () => running.current?.abort();
  }, [path, first]);
  const cursor = (state.pages.at(-1) ?? first)?.next_cursor ?? null;
  const more = useCallback(() => {
    if (path === null || cursor === null) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState((was) => ({ ...was, error: null, isLoading: true }));
    fetchJson<T>(`${path}&cursor=${encodeURIComponent(cursor)}`, controller.signal).then(
      (page) => setState((was) => ({ pages: [...was.pages, page], error: null, isLoading: false })),
      (error: unknown) => {
        if (controller.signal.aborted || !(error instanceof RequestError)) return;
        setState((was) => ({ ...was, error, isLoading: false }));
      },
    );
  }, [path, cursor]);
  return { ...state, hasMore: cursor !== null, more };
}
