import type { VNode } from 'preact';
import type { WireListedBank } from '../data/wire-records.ts';
import { formatPct, formatUsd } from '../format/number.ts';
import { html } from '../html.ts';
import { FigureText } from '../parts/figure-text.ts';
import { FigureTile } from '../parts/figure-tile.ts';

/** Sums over all banks. What is not known of a bank is left out, and said. */
export function BankTotals({ banks }: { readonly banks: readonly WireListedBank[] }): VNode {
  const deposits = sumKnown(banks.map(({ size }) => size.deposits_usd));
  const lent = banks.filter(({ borrowable }) => borrowable);
  const lentDeposits = sumKnown(lent.map(({ size }) => size.deposits_usd));
  const borrows = sumKnown(lent.map(({ size }) => size.borrows_usd));
  const available = sumKnown(lent.map(({ size }) => size.available_liquidity_usd));
  const share =
    lentDeposits.sum === null || borrows.sum === null || lentDeposits.sum === 0
      ? null
      : (100 * borrows.sum) / lentDeposits.sum;
  const tile = (label: string, { sum, missing }: Sum, note: string) => html`<${FigureTile}
    label=${label}
    value=${html`<${FigureText} text=${formatUsd(sum)} />`}
    note=${missing === 0 ? note : `${note}; ${missing} unknown left out`}
  />`;
  return html`
    <dl class="tiles">
      ${tile('Deposits', deposits, `in ${banks.length} banks`)}
      ${tile('Borrows', borrows, `from ${lent.length} banks that lend out`)}
      ${tile('Available to borrow', available, 'now, in those banks')}
      <${FigureTile} label="Lent out" value=${html`<${FigureText} text=${formatPct(share)} />`} note="borrows ÷ deposits of those banks" />
    </dl>
  `;
}

interface Sum {
  /** Null where nothing is known. */
  readonly sum: number | null;
  readonly missing: number;
}

function sumKnown(values: readonly (number | null)[]): Sum {
  const known = values.filter((value) => value !== null);
  return {
    sum: known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0),
    missing: values.length - known.length,
  };
}
