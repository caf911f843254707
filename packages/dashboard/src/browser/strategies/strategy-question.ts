import { VENUES } from '../venue-words.ts';
import { STRATEGY_KINDS } from './wire-strategies.ts';

/** What the page asks for; its URL says the same in the same names. */
export interface StrategyQuestion {
  readonly kind: string;
  readonly venue: string;
  readonly supply: string;
  readonly borrow: string;
  readonly order: OrderKey;
}

/** Orders a reader can choose, by the service's names. */
export const ORDERS = {
  score: 'Score',
  net_apy_at_recommended_leverage_pct: 'Net APY, recommended leverage',
  net_apy_at_max_leverage_pct: 'Net APY, max leverage',
  net_apy_7d_pct: 'Net APY, 7 days',
  net_apy_30d_pct: 'Net APY, 30 days',
  available_strategy_size_usd: 'Size',
  max_leverage: 'Max leverage',
  break_even_days: 'Break-even',
} as const;
export type OrderKey = keyof typeof ORDERS;
export const DEFAULT_ORDER: OrderKey = 'score';

/** Longer than any symbol the service looks for. */
export const LONGEST_SYMBOL = 32;

/** Pairs in one answer: a screen or two. */
const PAGE_SIZE = 25;

/** Reads the page's URL; what it does not know is as if it were not there. */
export function readQuestion(get: (name: string) => string | null): StrategyQuestion {
  const oneOf = (known: readonly string[], text: string | null) => (text !== null && known.includes(text) ? text : '');
  const order = get('order') ?? '';
  return {
    kind: oneOf(STRATEGY_KINDS, get('kind')),
    venue: oneOf(VENUES, get('venue')),
    supply: symbolOf(get('supply')),
    borrow: symbolOf(get('borrow')),
    order: Object.hasOwn(ORDERS, order) ? (order as OrderKey) : DEFAULT_ORDER,
  };
}

function symbolOf(text: string | null): string {
  return (text ?? '').trim().slice(0, LONGEST_SYMBOL);
}

export function isFiltered({ kind, venue, supply, borrow }: StrategyQuestion): boolean {
  return [kind, venue, supply, borrow].some((text) => text !== '');
}

/** The path that answers it. */
export function strategiesPath(question: StrategyQuestion): string {
  const params = new URLSearchParams();
  const given = {
    kind: question.kind,
    venue: question.venue,
    supply_symbol: question.supply,
    borrow_symbol: question.borrow,
  };
  for (const [name, value] of Object.entries(given)) if (value !== '') params.set(name, value);
  if (question.order !== DEFAULT_ORDER) params.set('sort', question.order);
  params.set('limit', String(PAGE_SIZE));
  return `/v1/strategies?${params}`;
}
