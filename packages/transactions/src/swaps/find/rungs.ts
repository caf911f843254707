import type { Aggregator } from '../aggregators/aggregator.ts';
import type { SwapQuery, SwapRoute } from '../swap-route.ts';

/** How much room a route is given: one step of the ladder. */
export type Rung = Pick<SwapQuery, 'maxAccounts' | 'maxLegs'>;

/** An aggregator that counts accounts is asked for no more than it has by itself. */
const MOST_ACCOUNTS = 64;
/** A route of one small pool. */
const LEAST_ACCOUNTS = 12;
/** What the aggregator's own program brings besides its pools' accounts: itself, its authorities, its token accounts. */
const OWN_ACCOUNTS = 6;
const CAPS = [50, 40, 30, 24, 20, 16, LEAST_ACCOUNTS];

/** Where the ladder begins: with what fits beside the rest of the plan. */
export function firstRung(accountsLeft: number): Rung {
  const room = Math.min(accountsLeft - OWN_ACCOUNTS, MOST_ACCOUNTS);
  return { maxAccounts: Math.max(room, LEAST_ACCOUNTS), maxLegs: null };
}

/** The next tighter step after a route that was too large; null where there is none. */
export function nextRung(
  { bounds }: Pick<Aggregator, 'bounds'>,
  { maxAccounts, maxLegs }: Rung,
  route: SwapRoute,
): Rung | null {
  if (bounds === 'legs') return maxLegs === 1 ? null : { maxAccounts, maxLegs: maxLegs === null ? 2 : 1 };
  // A cap that the route keeps to already gives the same route.
  const used = route.swap.reduce((sum, { accounts = [] }) => sum + accounts.length, 0);
  const below = Math.min(maxAccounts ?? MOST_ACCOUNTS, used);
  const cap = CAPS.find((each) => each < below);
  return cap === undefined ? null : { maxAccounts: cap, maxLegs };
}
