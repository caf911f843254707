/** A signal that ends after some time, or with another, as long as it is not cleared. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Nothing is waited for any more. */
  clear(): void;
}

/**
 * What `AbortSignal.timeout` and `AbortSignal.any` are together, but that it can be cleared: those end long after the answer was there, and
 * each end makes an exception with its stack, and holds until then what was asked.
 */
export function startTimeLimit(ms: number, signal?: AbortSignal): TimeLimit {
  const controller = new AbortController();
  const end = () => controller.abort(new DOMException(`Not done in ${ms} ms`, 'TimeoutError'));
  const follow = () => controller.abort(signal?.reason);
  const timer = setTimeout(end, ms).unref();
  if (signal?.aborted) follow();
  else signal?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', follow);
    },
  };
}
