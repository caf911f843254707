import type { Merit } from './score-points.ts';
import type { StrategyKind, WireStrategy } from './wire-strategies.ts';

/** What the service's words mean to a reader. */

export const KIND_WORDS: Readonly<Record<StrategyKind, { readonly label: string; readonly meaning: string }>> = {
  stable: { label: 'Stable', meaning: 'Two dollars: it lives by the difference of rates.' },
  sol_lst: {
    label: 'SOL staking',
    meaning: 'SOL and its staking tokens: they move together, and staking pays for the loop.',
  },
  rate_arbitrage: { label: 'Same token', meaning: 'One token on both sides: it lives by the difference of rates.' },
  directional_long: { label: 'Long', meaning: 'Owes dollars and holds the supply: it gains when the supply rises.' },
  directional_short: { label: 'Short', meaning: 'Holds dollars and owes the debt: it gains when the debt falls.' },
  other: { label: 'Other', meaning: 'Two tokens whose prices move apart.' },
};

export const TYPE_WORDS: Readonly<Record<WireStrategy['type'], string>> = {
  loop: 'Loop, through a swap',
  rate_arbitrage: 'Rate arbitrage, without a swap',
};

const LIMIT_WORDS: Readonly<Record<string, string>> = {
  health: 'health',
  liquidity: 'liquidity',
  deposit_cap: 'deposit cap',
  borrow_cap: 'borrow cap',
  rate_limit: 'an hourly or daily limit',
  swap_depth: 'swap depth',
  tag: 'what an account may mix',
  slots: 'slots of an account',
  balance: 'balance',
  state: 'a bank’s state or price',
};

/** What stops more; a word that is not known here is shown as it came. */
export function limitWords(limit: string): string {
  return LIMIT_WORDS[limit] ?? limit.replaceAll('_', ' ');
}

export const MERIT_WORDS: Readonly<Record<Merit, { readonly label: string; readonly meaning: string }>> = {
  carry: { label: 'Carry', meaning: 'net yield at the recommended leverage' },
  stability: { label: 'Stability', meaning: 'distance to liquidation, and how steady the yield was' },
  capacity: { label: 'Capacity', meaning: 'how much capital fits' },
  liquidity: { label: 'Liquidity', meaning: 'how easily one gets out' },
};
export const MERITS = ['carry', 'stability', 'capacity', 'liquidity'] as const satisfies readonly Merit[];
export const PENALTY_MEANING = 'for what is unknown, stands in the way or a bad month takes';
