import type { SourceBoard } from './source-board.ts';

/** Asks as `fetch` does, and keeps how the aggregators at the other end stand. */
export function watchedFetch(board: Pick<SourceBoard, 'aggregatorAnswered'>, ask = globalThis.fetch): typeof fetch {
  return async (input, init) => {
    const { host } = new URL(input instanceof Request ? input.url : input);
    try {
      const response = await ask(input, init);
      const isDown = response.status === 429 || response.status >= 500;
      board.aggregatorAnswered(host, isDown ? `HTTP ${response.status}` : null);
      return response;
    } catch (error) {
      // Whoever asked gave up, or the caller left: that says nothing of the aggregator unless it was for the time it took.
      const isLeft =
        init?.signal?.aborted === true && (init.signal.reason as Error | undefined)?.name !== 'TimeoutError';
      if (!isLeft) board.aggregatorAnswered(host, init?.signal?.aborted === true ? 'timed-out' : 'unavailable');
      throw error;
    }
  };
}
