import type { VNode } from 'preact';
import { formatPct, formatPrice, formatTokens, formatUsd } from '../format/number.ts';
import { html } from '../html.ts';
import { type Column, DataTable } from '../parts/data-table.ts';
import { FigureText } from '../parts/figure-text.ts';
import { Empty } from '../parts/states.ts';
import { limitWords } from '../strategies/strategy-words.ts';
import type { WirePosition } from './wire-account.ts';

const bank: Column<WirePosition> = {
  key: 'bank',
  label: 'Bank',
  cell: ({ bank: address, symbol, venue }) => html`
    <a class="row-link" href=${`/banks/${address}`}><span class="symbol">${symbol ?? 'Unnamed'}</span><span class="venue">${venue ?? 'unknown venue'}</span></a>
  `,
};
const amount: Column<WirePosition> = {
  key: 'amount',
  label: 'Amount',
  align: 'end',
  cell: ({ amount_ui, amount_raw }) =>
    html`<${FigureText} text=${formatTokens(amount_ui)} title=${amount_raw === null ? undefined : `${amount_raw} base units`} />`,
};
const worth: Column<WirePosition> = {
  key: 'worth',
  label: 'Worth',
  align: 'end',
  cell: ({ amount_usd }) => html`<${FigureText} text=${formatUsd(amount_usd)} />`,
};
const apy: Column<WirePosition> = {
  key: 'apy',
  label: 'APY',
  align: 'end',
  cell: ({ apy_pct }) => html`<${FigureText} text=${formatPct(apy_pct)} />`,
};
const counted: Column<WirePosition> = {
  key: 'counted',
  label: 'Counted',
  title: 'What the risk engine counts of it: the worth at the careful edge of the price, times the weight',
  align: 'end',
  cell: ({ weighted_usd, weight_maint }) =>
    html`<${FigureText} text=${formatUsd(weighted_usd)} title=${weight_maint === null ? undefined : `weight ${weight_maint.toFixed(4)}`} />`,
};
const liquidation: Column<WirePosition> = {
  key: 'liquidation',
  label: 'Liquidation price',
  title: 'Price of one token that brings the account to the line, other prices held',
  align: 'end',
  cell: ({ liquidation_price_usd: price, price_change_to_liquidation_pct: change }) =>
    price === null
      ? html`<${FigureText} text="none" title="No price of this token alone brings the account to the line" />`
      : html`<span class="lead">${formatPrice(price)}</span><span class="sub">${signed(change)} from now</span>`,
};
const withdraw: Column<WirePosition> = {
  key: 'withdraw',
  label: 'Can leave now',
  align: 'end',
  cell: ({ max_withdraw_ui, max_withdraw_limited_by: limit, symbol }) => html`
    <span class="lead"><${FigureText} text=${formatTokens(max_withdraw_ui, symbol)} /></span>
    ${limit !== null && html`<span class="sub">${limit === 'balance' ? 'all of it' : `by ${limitWords(limit)}`}</span>`}
  `,
};

const SUPPLY_COLUMNS = [bank, amount, worth, apy, counted, liquidation, withdraw];
const DEBT_COLUMNS = [bank, amount, worth, apy, counted, liquidation];

/** What an account supplied and what it owes, side by side in two tables. */
export function Positions({ positions }: { readonly positions: readonly WirePosition[] }): VNode {
  const of = (side: WirePosition['side']) => positions.filter((position) => position.side === side);
  return html`
    <${Side} title="Supplied" rows=${of('lend')} columns=${SUPPLY_COLUMNS} none="Nothing is supplied" />
    <${Side} title="Owed" rows=${of('borrow')} columns=${DEBT_COLUMNS} none="Nothing is owed" />
  ` as unknown as VNode;
}

interface SideProps {
  readonly title: string;
  readonly rows: readonly WirePosition[];
  readonly columns: readonly Column<WirePosition>[];
  readonly none: string;
}

function Side({ title, rows, columns, none }: SideProps): VNode {
  return html`
    <section class="panel" aria-label=${title}>
      <div class="panel-head"><h2>${title}</h2></div>
      ${
        rows.length === 0
          ? html`<${Empty} title=${none} />`
          : html`<${DataTable} caption=${title} columns=${columns} rows=${rows} rowKey=${(row: WirePosition) => row.bank} />`
      }
    </section>
  `;
}

function signed(pct: number | null): string {
  return pct !== null && pct > 0 ? `+${formatPct(pct)}` : formatPct(pct);
}
