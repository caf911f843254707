import type { VNode } from 'preact';
import type { WireBank, WireRates } from '../data/wire-records.ts';
import { formatPct } from '../format/number.ts';
import { html } from '../html.ts';
import { FigureText } from '../parts/figure-text.ts';
import { LiveFigure } from '../parts/live-figure.ts';

interface PartRow {
  readonly label: string;
  readonly deposit?: keyof WireRates;
  readonly borrow?: keyof WireRates;
}

const PARTS: readonly PartRow[] = [
  { label: 'Interest', deposit: 'interest_deposit_apy_pct', borrow: 'interest_borrow_apy_pct' },
  { label: 'The token by itself', deposit: 'native_apy_pct' },
  { label: 'Rewards', deposit: 'emissions_deposit_apy_pct', borrow: 'emissions_borrow_apy_pct' },
];
const TOTAL: PartRow = { label: 'In all', deposit: 'total_deposit_apy_pct', borrow: 'total_borrow_apy_pct' };
const MEANS: readonly PartRow[] = [
  { label: 'Interest, 7 days', deposit: 'deposit_apy_7d_pct', borrow: 'borrow_apy_7d_pct' },
  { label: 'Interest, 30 days', deposit: 'deposit_apy_30d_pct', borrow: 'borrow_apy_30d_pct' },
  { label: 'Paid out, 30 days', deposit: 'realized_deposit_apy_30d_pct' },
];

/** What a rate is the sum of, and what it was on average. */
export function RatePartsPanel({ bank: { rates, borrowable } }: { readonly bank: WireBank }): VNode {
  const row = (part: PartRow, unknown: string) =>
    html`<${RateRow} key=${part.label} part=${part} rates=${rates} borrowable=${borrowable} unknown=${unknown} />`;
  return html`
    <section class="panel" aria-labelledby="parts-title">
      <div class="panel-head"><h2 id="parts-title">What the rate is made of</h2></div>
      <div class="table-scroll" role="region" aria-label="Parts of the rate" tabindex="0">
        <table class="sum-table">
          <caption class="visually-hidden">Parts of the rate, percent a year</caption>
          <thead>
            <tr>
              <th scope="col">APY</th>
              <th scope="col" class="figure">Deposit</th>
              ${borrowable && html`<th scope="col" class="figure">Borrow</th>`}
            </tr>
          </thead>
          <tbody>${PARTS.map((part) => row(part, 'not measured, left out of the sum'))}</tbody>
          <tbody class="sum-row">${row(TOTAL, 'unknown')}</tbody>
          <tbody>${MEANS.map((part) => row(part, 'not sampled long enough'))}</tbody>
        </table>
      </div>
    </section>
  ` as unknown as VNode;
}

interface RateRowProps {
  readonly part: PartRow;
  readonly rates: WireRates;
  readonly borrowable: boolean;
  readonly unknown: string;
}

function RateRow({ part: { label, deposit, borrow }, rates, borrowable, unknown }: RateRowProps): VNode {
  const cell = (name: keyof WireRates | undefined) => {
    if (name === undefined) return null;
    const value = rates[name];
    return value === null
      ? html`<${FigureText} text=${formatPct(null)} title=${unknown} />`
      : html`<${LiveFigure} value=${value} format=${formatPct} />`;
  };
  return html`
    <tr>
      <th scope="row">${label}</th>
      <td class="figure">${cell(deposit)}</td>
      ${borrowable && html`<td class="figure">${cell(borrow)}</td>`}
    </tr>
  ` as unknown as VNode;
}
