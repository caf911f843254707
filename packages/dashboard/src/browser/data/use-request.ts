import { useCallback, useEffect, useState } from 'preact/hooks';
import { fetchJson, RequestError } from './fetch-json.ts';

/** How far a request got. What was known stays while it is asked for again, and where asking again fails. */
export interface Requested<T> {
  /** Null until the first answer. */
  readonly data: T | null;
  /** Why the newest attempt failed; null when it did not. */
  readonly error: RequestError | null;
  readonly isLoading: boolean;
  /** Asks again. */
  reload(): void;
}

/** How long an answer is good enough for somebody who comes back to a page. Streams keep what is shown current. */
const KEEP_MS = 30_000;
const kept = new Map<string, { readonly data: unknown; readonly atMs: number }>();
const MAX_KEPT = 40;

/** Asks once per path; a path of null asks nothing. Leaving the page ends what is under way. */
export function useRequest<T>(path: string | null): Requested<T> {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<RequestState<T>>(() => begin<T>(path));
  const current = state.path === path ? state : begin<T>(path);
  useEffect(() => {
    if (path === null) return;
    const before = begin<T>(path);
    if (attempt === 0 && before.data !== null) {
      setState(before);
      return;
    }
    const controller = new AbortController();
    setState((was) => ({ path, data: was.path === path ? was.data : before.data, error: null, isLoading: true }));
    fetchJson<T>(path, controller.signal).then(
      (data) => {
        keep(path, data);
        setState({ path, data, error: null, isLoading: false });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const reason = error instanceof RequestError ? error : unreadable(error);
        setState((was) => ({ path, data: was.path === path ? was.data : null, error: reason, isLoading: false }));
      },
    );
    return () => controller.abort();
  }, [path, attempt]);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  return { data: current.data, error: current.error, isLoading: current.isLoading, reload };
}

interface RequestState<T> {
  readonly path: string | null;
  readonly data: T | null;
  readonly error: RequestError | null;
  readonly isLoading: boolean;
}

function begin<T>(path: string | null): RequestState<T> {
  const known = path === null ? undefined : kept.get(path);
  const data = known !== undefined && Date.now() - known.atMs < KEEP_MS ? (known.data as T) : null;
  return { path, data, error: null, isLoading: path !== null && data === null };
}

function keep(path: string, data: unknown): void {
  kept.delete(path);
  kept.set(path, { data, atMs: Date.now() });
  const oldest = kept.keys().next().value;
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

function unreadable(cause: unknown): RequestError {
  return new RequestError('The answer could not be read.', { code: 'UNREADABLE', status: 0, cause });
}
