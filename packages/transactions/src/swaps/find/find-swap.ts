import type { FoundSwap, SwapRequest } from '../swap-finder.ts';
import { noSwap } from './explain-none.ts';
import type { FindContext } from './look-at.ts';
import { Search } from './search.ts';

/**
 * The best swap that will do. What an earlier build of the same plan took is asked for first, then everybody: best first, and as long
 * as none of them fits, tighter ones.
 * @throws as `SwapFinder` says.
 */
export async function findSwap(request: SwapRequest, context: FindContext): Promise<FoundSwap> {
  const { pinned } = request;
  const search = new Search(request, context);
  const found =
    (pinned === null ? null : await search.run([pinned.aggregator], pinned.inBase)) ??
    (await search.run(
      context.aggregators.map(({ name }) => name),
      null,
    ));
  request.signal?.throwIfAborted();
  if (found === null) throw noSwap(search, context.now());
  return found;
}
