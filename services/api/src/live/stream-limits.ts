import { LendingError } from '@lending/errors';

export interface StreamLimits {
  /** Streams in all that one process serves. */
  readonly most: number;
  /** Streams of one client. */
  readonly mostPerClient: number;
}

/** Counts who listens. */
export interface StreamCount {
  /**
   * Takes a place; answers how to give it back, once.
   * @throws TOOL__STREAMS_EXCEEDED where there is none.
   */
  take(client: string): () => void;
  readonly open: () => number;
}

/** Places are given back when somebody leaves, which nobody can foresee. */
const RETRY_AFTER_S = 10;

export function createStreamCount(
  { most, mostPerClient }: StreamLimits,
  onRefuse: (limit: 'all' | 'client') => void,
): StreamCount {
  const byClient = new Map<string, number>();
  let open = 0;

  function refuse(limit: 'all' | 'client', allowed: number): never {
    onRefuse(limit);
    const whose = limit === 'all' ? 'this instance serves' : 'one client may have';
    throw new LendingError('TOOL__STREAMS_EXCEEDED', {
      message: `There are as many streams open as ${whose} — allowed: ${allowed} at once — close one that is not read, or try again in ${RETRY_AFTER_S} seconds`,
      context: {
        scope: limit === 'all' ? 'streams' : 'streams_per_client',
        limit: allowed,
        retry_after_s: RETRY_AFTER_S,
      },
    });
  }

  return {
    take(client) {
      const own = byClient.get(client) ?? 0;
      if (own >= mostPerClient) refuse('client', mostPerClient);
      if (open >= most) refuse('all', most);
      byClient.set(client, own + 1);
      open += 1;
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        open -= 1;
        const left = (byClient.get(client) ?? 1) - 1;
        if (left === 0) byClient.delete(client);
        else byClient.set(client, left);
      };
    },
    open: () => open,
  };
}
