import type { Aim } from './aims/aim.ts';
import { EDGES } from './aims/edges.ts';
import { FORBIDDEN } from './aims/forbidden.ts';
import { ODD_ACCOUNTS } from './aims/odd-accounts.ts';
import { OLD_PRICES } from './aims/old-prices.ts';
import { PLAIN_ACTIONS } from './aims/plain-actions.ts';
import { WRONG_REQUESTS } from './aims/wrong-requests.ts';

/** Everything that random requests aim at; a seed stands for the same requests as long as this order does. */
export const AIMS: readonly Aim[] = [
  ...PLAIN_ACTIONS,
  ...EDGES,
  ...WRONG_REQUESTS,
  ...FORBIDDEN,
  ...OLD_PRICES,
  ...ODD_ACCOUNTS,
];
