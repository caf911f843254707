import { createHash } from 'node:crypto';
import type { Address } from '@solana/kit';
import { ROUTE_ACCOUNTS } from '#market/swap-table.ts';
import { routeLayout } from '#programs/swap/swap-instruction.ts';

/** Whose wire shapes are spoken. */
export const AGGREGATOR_NAMES = ['jupiter', 'dflow'] as const;

export type AggregatorName = (typeof AGGREGATOR_NAMES)[number];

/** A way through the market. Its legs share the trade. */
export interface SwapRoute {
  readonly labels: readonly string[];
  /** What it costs beyond the pools' own fee. */
  readonly feeBps: number;
  /** What it brings along beside the pools of both tokens. */
  readonly extraAccounts: readonly Address[];
}

export interface RouteLimits {
  /** Accounts of the pools alone: neither the trader's, nor programs, nor the dealer's own. */
  readonly maxAccounts?: number | undefined;
  readonly maxLegs?: number | undefined;
  /** Leaves out what does not work in bundles. */
  readonly forBundle: boolean;
}

/** The best route has most legs, and brings along most: a cap costs a little. */
const ROUTES: readonly (SwapRoute & { readonly worksInBundles: boolean })[] = [
  {
    labels: ['Local Ticks', 'Local Bins', 'Local Dealer'],
    feeBps: 0,
    extraAccounts: ROUTE_ACCOUNTS,
    worksInBundles: false,
  },
  {
    labels: ['Local Ticks', 'Local Dealer'],
    feeBps: 2,
    extraAccounts: ROUTE_ACCOUNTS.slice(0, 14),
    worksInBundles: true,
  },
  { labels: ['Local Dealer'], feeBps: 5, extraAccounts: [], worksInBundles: true },
];

/** Pools, vaults, mints and oracles of both tokens. */
const POOL_ACCOUNTS = routeLayout.accounts.filter(({ name }) => /^(pool|vault|mint|oracle)/.test(name)).length;
/** What an aggregator takes where the other one knows a better way: more than a tie. */
const DEARER_BPS = 2;

/** The best route of an aggregator within the limits; null where none is. Which of the two aggregators is cheaper depends on the pair. */
export function findRoute(
  aggregator: AggregatorName,
  pair: { readonly inMint: Address; readonly outMint: Address },
  { maxAccounts = Number.POSITIVE_INFINITY, maxLegs = Number.POSITIVE_INFINITY, forBundle }: RouteLimits,
): SwapRoute | null {
  const route = ROUTES.find(
    ({ labels, extraAccounts, worksInBundles }) =>
      labels.length <= maxLegs && POOL_ACCOUNTS + extraAccounts.length <= maxAccounts && (worksInBundles || !forBundle),
  );
  if (route === undefined) return null;
  const feeBps = route.feeBps + (cheaperOf(pair) === aggregator ? 0 : DEARER_BPS);
  return { labels: route.labels, feeBps, extraAccounts: route.extraAccounts };
}

/** Who knows the better way for a pair: decided by its hash, and so for good. */
function cheaperOf({ inMint, outMint }: { readonly inMint: Address; readonly outMint: Address }): AggregatorName {
  const [byte = 0] = createHash('sha256').update(`${inMint} ${outMint}`).digest();
  return byte % 2 === 0 ? 'jupiter' : 'dflow';
}
