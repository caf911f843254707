import type { WireListedBank } from '../data/wire-records.ts';
import { formatPct, formatUsd } from '../format/number.ts';
import { html } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import type { Column } from '../parts/data-table.ts';
import { LiveFigure } from '../parts/live-figure.ts';
import { Sparkline } from '../parts/sparkline.ts';
import { describeState } from './bank-state.ts';

/** Columns of the list of banks. */
export const BANK_COLUMNS: readonly Column<WireListedBank>[] = [
  {
    key: 'symbol',
    label: 'Bank',
    sortBy: ({ symbol }) => symbol,
    cell: (bank) => html`
      <a class="row-link" href=${`/banks/${bank.address}`}>
        <span class="symbol">${bank.symbol ?? 'Unnamed'}</span><span class="venue">${bank.venue}</span>
      </a>
    `,
  },
  {
    key: 'deposit',
    label: 'Deposit APY',
    title: "Earned on a deposit: interest, the token's own yield and rewards",
    align: 'end',
    sortBy: ({ rates }) => rates.total_deposit_apy_pct,
    cell: ({ rates }) => html`<${LiveFigure} value=${rates.total_deposit_apy_pct} format=${formatPct} />`,
  },
  {
    key: 'week',
    label: '7 days',
    title: 'Deposit interest of each of the last 7 days',
    cell: ({ history }) => {
      const values = history?.deposit_apy_pct ?? [];
      return html`<${Sparkline} values=${values} label=${describeWeek(values)} />`;
    },
  },
  {
    key: 'borrow',
    label: 'Borrow APY',
    title: 'Paid on a debt, fees included',
    align: 'end',
    sortBy: ({ rates }) => rates.total_borrow_apy_pct,
    cell: ({ borrowable, rates }) =>
      borrowable
        ? html`<${LiveFigure} value=${rates.total_borrow_apy_pct} format=${formatPct} />`
        : html`<span class="unknown">not lent out</span>`,
  },
  {
    key: 'utilization',
    label: 'Utilization',
    title: 'Debt ÷ deposits of the pool that lends',
    align: 'end',
    sortBy: ({ rates }) => rates.utilization_pct,
    cell: ({ rates }) => html`<${LiveFigure} value=${rates.utilization_pct} format=${formatPct} />`,
  },
  {
    key: 'deposits',
    label: 'Deposits',
    align: 'end',
    sortBy: ({ size }) => size.deposits_usd,
    cell: ({ size }) => html`<${LiveFigure} value=${size.deposits_usd} format=${formatUsd} />`,
  },
  {
    key: 'borrows',
    label: 'Borrows',
    align: 'end',
    sortBy: ({ size }) => size.borrows_usd,
    cell: ({ size }) => html`<${LiveFigure} value=${size.borrows_usd} format=${formatUsd} />`,
  },
  {
    key: 'available',
    label: 'Available',
    title: 'What can be withdrawn or borrowed now',
    align: 'end',
    sortBy: ({ size }) => size.available_liquidity_usd,
    cell: ({ size }) => html`<${LiveFigure} value=${size.available_liquidity_usd} format=${formatUsd} />`,
  },
  {
    key: 'state',
    label: 'State',
    sortBy: ({ operational_state }) => operational_state,
    cell: (bank) => {
      const { word, tone, title } = describeState(bank);
      return html`<${Badge} tone=${tone} title=${title}>${word}<//>`;
    },
  },
];

function describeWeek(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return 'Deposit interest of 7 days: unknown';
  return `Deposit interest of ${known.length} of 7 days: from ${formatPct(first)} to ${formatPct(last)}`;
}
