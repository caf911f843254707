import { getJson } from '../http.ts';

interface Side {
  readonly bank: string;
  readonly symbol: string | null;
  readonly venue: string;
}

/** The record as it leaves REST, as far as it is looked at. */
export interface ListedStrategy {
  readonly supply: Side;
  readonly borrow: Side;
  readonly type: 'loop' | 'rate_arbitrage';
  readonly kind: string;
  readonly rates: {
    readonly lend_apy_pct: number;
    readonly native_apy_pct: number | null;
    readonly emissions_apy_pct: number | null;
    readonly borrow_apy_pct: number;
    readonly borrow_native_apy_pct: number;
    readonly net_apy_base_pct: number;
    readonly net_apy_at_max_leverage_pct: number;
    readonly net_apy_at_recommended_leverage_pct: number;
    readonly net_apy_7d_pct: number | null;
    readonly net_apy_30d_pct: number | null;
  };
  readonly max_leverage: number;
  readonly theoretical_max_leverage: number | null;
  readonly recommended_leverage: number;
  readonly available_strategy_size_usd: number;
  readonly binding_constraint: string;
  readonly emode_applied: boolean;
  readonly liquidation: { readonly health_ratio: number | null; readonly price_ratio_drop_pct: number | null };
  readonly cost: {
    readonly entry_bps: number | null;
    readonly break_even_days: number | null;
    readonly origination_fee_bps: number;
    readonly swap_bps: number | null;
  };
  readonly score: number;
  readonly score_parts: Readonly<Record<'carry' | 'stability' | 'capacity' | 'liquidity' | 'penalty', number>>;
}

export interface StrategiesAnswer {
  readonly strategies: readonly ListedStrategy[];
  readonly count: number;
  readonly total: number;
  readonly next_cursor: string | null;
  readonly coverage: { readonly complete: boolean; readonly banks_skipped: readonly unknown[] };
  readonly warnings: readonly { readonly code: string }[];
}

/** As many as a page holds, and the next, until there is none. */
export async function readAllStrategies(apiUrl: string, query = '', limit = 100): Promise<readonly ListedStrategy[]> {
  const all: ListedStrategy[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: StrategiesAnswer = await getJson(`${apiUrl}/v1/strategies?limit=${limit}&cursor=${cursor}${query}`);
    all.push(...page.strategies);
    cursor = page.next_cursor;
  }
  return all;
}

export function pairOf({ supply, borrow }: Pick<ListedStrategy, 'supply' | 'borrow'>): string {
  return `${supply.symbol} at ${supply.venue} (${supply.bank}) on ${borrow.symbol} (${borrow.bank})`;
}
