import { FRACTION_ONE } from '@lending/domain';
import type { FoundSwap, SwapRequest } from '../swap-finder.ts';
import { noSwap } from './explain-none.ts';
import type { FindContext } from './look-at.ts';
import { Search } from './search.ts';

/**
 * The best swap that will do. What an earlier build of the same plan took is asked for first, then everybody who is not doubted, then all:
 * best first, and as long as none of them fits, tighter ones.
 * @throws as `SwapFinder` says.
 */
export async function findSwap(request: SwapRequest, context: FindContext): Promise<FoundSwap> {
  const { pinned, doubted = [] } = request;
  const search = new Search(request, context);
  const all = context.aggregators.map(({ name }) => name);
  const trusted = all.filter((name) => !doubted.includes(name));
  const isPinned = pinned !== null && !doubted.includes(pinned.aggregator) && isStillMeant(pinned.inBase, request);
  const found =
    (isPinned ? await search.run([pinned.aggregator], pinned.inBase) : null) ??
    (trusted.length < all.length && trusted.length > 0 ? await search.run(trusted, null) : null) ??
    (await search.run(all, null));
  request.signal?.throwIfAborted();
  if (found === null) throw noSwap(search, context.now());
  return found;
}

/**
 * Whether an earlier build's amount is about what is needed now. The account may have changed since: more than an honest swap takes would sell
 * what nobody asked for, and more than there is the wallet's own tokens.
 */
function isStillMeant(pinnedIn: bigint, { inBase, maxInBase, maxDeviationE18 }: SwapRequest): boolean {
  const isCovered = maxInBase === null || pinnedIn <= maxInBase;
  return isCovered && pinnedIn * (FRACTION_ONE - maxDeviationE18) <= inBase * FRACTION_ONE;
}
