import { accountsOf } from '../checks/check-route.ts';
import type { SwapRoute } from '../swap-route.ts';

const BPS = 10_000n;

/** Basis points that the second gives less for a unit than the first, to the nearest; 0 where it gives as much or more. */
export function lossBpsOf(first: SwapRoute, second: SwapRoute): number {
  const one = first.quote.outBase * second.quote.inBase;
  const other = second.quote.outBase * first.quote.inBase;
  return one <= other ? 0 : Number(((one - other) * BPS + one / 2n) / one);
}

/**
 * Which route is better, for sorting: more out for a unit in, which is after all fees of the pools and the aggregators. Within a basis
 * point, the one that makes fewer accounts, needs fewer, has fewer pools, is newer.
 */
export function compareRoutes(one: SwapRoute, other: SwapRoute): number {
  const loss = lossBpsOf(other, one) - lossBpsOf(one, other);
  if (Math.abs(loss) > 1) return loss;
  return (
    one.setup.length - other.setup.length ||
    countAccounts(one) - countAccounts(other) ||
    one.quote.labels.length - other.quote.labels.length ||
    Number((other.quote.contextSlot ?? 0n) - (one.quote.contextSlot ?? 0n)) ||
    loss
  );
}

function countAccounts({ setup, swap }: SwapRoute): number {
  return accountsOf([...setup, ...swap]).size;
}
