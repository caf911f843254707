import type { VNode } from 'preact';
import { describeState } from '../banks/bank-state.ts';
import type { WireBank } from '../data/wire-records.ts';
import { formatPct, formatPrice, formatPricePrecisely, formatTokens, formatUsd } from '../format/number.ts';
import { type Children, html } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import { FigureText } from '../parts/figure-text.ts';
import { FigureTile } from '../parts/figure-tile.ts';
import { LiveFigure } from '../parts/live-figure.ts';

type Figure = number | null | undefined;

/** The figures that matter first. */
export function BankHeadline({ bank }: { readonly bank: WireBank }): VNode {
  const { rates, size, borrowable, price_low_usd: low, price_high_usd: high, symbol } = bank;
  const state = describeState(bank);
  const formatRoom = (value: Figure) => (value === null && bank.price_usd !== null ? 'No cap' : formatUsd(value));
  const tile = (label: string, value: Figure, format: (value: Figure) => string, note?: Children) =>
    html`<${FigureTile} label=${label} value=${html`<${LiveFigure} value=${value} format=${format} />`} note=${note} />`;
  const notLent = html`<${FigureTile} label="Borrow APY" value=${html`<span class="unknown">not lent out</span>`} />`;
  return html`
    <dl class="tiles tiles-even">
      ${tile('Deposit APY', rates.total_deposit_apy_pct, formatPct, 'earned, all parts')}
      ${borrowable ? tile('Borrow APY', rates.total_borrow_apy_pct, formatPct, 'paid, fees included') : notLent}
      ${tile('Utilization', rates.utilization_pct, formatPct, borrowable ? 'debt ÷ deposits' : 'of the pool behind it')}
      <${FigureTile}
        label="Price"
        value=${html`<${FigureText} text=${formatPrice(bank.price_usd)} />`}
        note=${low !== null && high !== null && `${formatPricePrecisely(low)} to ${formatPricePrecisely(high)}`}
      />
      ${tile('Deposits', size.deposits_usd, formatUsd, formatTokens(size.deposits, symbol))}
      ${
        borrowable
          ? tile('Borrows', size.borrows_usd, formatUsd, formatTokens(size.borrows, symbol))
          : tile('Room', size.deposit_capacity_remaining_usd, formatRoom, 'for deposits')
      }
      ${tile('Available', size.available_liquidity_usd, formatUsd, formatTokens(size.available_liquidity, symbol))}
      <${FigureTile}
        label="State"
        value=${html`<${Badge} tone=${state.tone} title=${state.title}>${state.word}<//>`}
        note=${bank.actions_allowed.length === 0 ? 'nothing is possible now' : bank.actions_allowed.join(', ')}
      />
    </dl>
  ` as unknown as VNode;
}
