import type { VNode } from 'preact';
import { formatTokens, formatUsd } from '../format/number.ts';
import { html } from '../html.ts';
import { type Column, DataTable } from '../parts/data-table.ts';
import { FigureText } from '../parts/figure-text.ts';
import { Empty } from '../parts/states.ts';
import { limitWords } from '../strategies/strategy-words.ts';
import type { WireMaxBorrow, WireOrder } from './wire-account.ts';

const COLUMNS: readonly Column<WireMaxBorrow>[] = [
  {
    key: 'bank',
    label: 'Bank',
    cell: ({ bank, symbol }) =>
      html`<a class="row-link" href=${`/banks/${bank}`}><span class="symbol">${symbol ?? 'Unnamed'}</span></a>`,
  },
  {
    key: 'amount',
    label: 'At most',
    align: 'end',
    cell: ({ amount_ui }) => html`<${FigureText} text=${formatTokens(amount_ui)} />`,
  },
  {
    key: 'usd',
    label: 'Worth',
    align: 'end',
    cell: ({ amount_usd }) => html`<${FigureText} text=${formatUsd(amount_usd)} />`,
  },
  {
    key: 'limit',
    label: 'Limited by',
    cell: ({ limited_by }) => (limited_by === null ? 'nothing' : limitWords(limited_by)),
  },
];

/** The largest ones say what matters: below them the same room is counted in other tokens. */
const MOST_SHOWN = 8;

/** What may still be borrowed, each alone. */
export function BorrowLimits({ limits }: { readonly limits: readonly WireMaxBorrow[] | null }): VNode {
  const open = (limits ?? [])
    .filter(({ amount_ui }) => amount_ui !== 0)
    .toSorted((a, b) => (b.amount_usd ?? -1) - (a.amount_usd ?? -1));
  return html`
    <section class="panel" aria-label="Can still borrow">
      <div class="panel-head">
        <h2>Can still borrow</h2>
        <p class="panel-note">One of these, not all of them</p>
      </div>
      ${
        limits === null
          ? html`<${Empty} title="Unknown">The account cannot be valued.<//>`
          : open.length === 0
            ? html`<${Empty} title="Nothing">More collateral, or less debt, would change that.<//>`
            : html`<${DataTable} caption="What can still be borrowed" columns=${COLUMNS} rows=${open.slice(0, MOST_SHOWN)} rowKey=${({ bank }: WireMaxBorrow) => bank} />`
      }
    </section>
  `;
}

const TRIGGERS = {
  stop_loss: 'Stop-loss',
  take_profit: 'Take-profit',
  both: 'Stop-loss and take-profit',
  unknown: 'Order of an unknown kind',
} as const;

/** Orders that stand on the chain; they are shown, not changed. */
export function Orders({ orders }: { readonly orders: readonly WireOrder[] }): VNode | null {
  if (orders.length === 0) return null;
  return html`
    <section class="panel" aria-label="Standing orders">
      <div class="panel-head"><h2>Standing orders</h2></div>
      <div class="panel-body"><ul class="plain-list">
        ${orders.map(
          ({ address, trigger, stop_loss, take_profit, max_slippage_pct }) => html`
            <li key=${address}>
              ${TRIGGERS[trigger ?? 'unknown']}:
              ${[
                stop_loss === null ? '' : ` when collateral less debt falls to ${formatUsd(stop_loss)}`,
                take_profit === null ? '' : ` when it rises to ${formatUsd(take_profit)}`,
                max_slippage_pct === null ? '' : ` slippage up to ${max_slippage_pct.toFixed(1)}%`,
              ]
                .filter((text) => text !== '')
                .join(',')}
            </li>
          `,
        )}
      </ul></div>
    </section>
  `;
}
