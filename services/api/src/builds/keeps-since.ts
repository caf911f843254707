import { fetchHistoryFloor, type OneNode } from '@lending/chain';
import type { KnownPlan } from './find-plan.ts';

/**
 * Whether a node still has every block since a plan was built, so that what it does not know of the plan's transactions is in none. Ask it
 * after the question whose answer was nothing: what it throws away in between counts. A node that does not say may have thrown away any.
 */
export async function keepsSince(
  node: Pick<OneNode, 'rpc'>,
  { envelope }: KnownPlan,
  signal: AbortSignal,
): Promise<boolean> {
  const floor = await fetchHistoryFloor(node, signal);
  return floor !== null && floor <= BigInt(envelope.as_of.slot ?? 0);
}
