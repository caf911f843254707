import type { VNode } from 'preact';
import type { WireBank } from '../data/wire-records.ts';
import { formatFactor } from '../format/number.ts';
import { html } from '../html.ts';
import { type Column, DataTable } from '../parts/data-table.ts';
import { Fact } from '../parts/fact.ts';
import { FigureText } from '../parts/figure-text.ts';

type EmodeEntry = NonNullable<WireBank['emode']>['entries'][number];

const EMODE_COLUMNS: readonly Column<EmodeEntry>[] = [
  { key: 'tag', label: 'Collateral of e-mode tag', cell: ({ collateral_tag }) => collateral_tag },
  { key: 'init', label: 'To borrow', align: 'end', cell: ({ asset_weight_init }) => factor(asset_weight_init) },
  { key: 'maint', label: 'To keep', align: 'end', cell: ({ asset_weight_maint }) => factor(asset_weight_maint) },
];

/** What a deposit counts for and a debt counts as, and what counts for more while this bank is the debt. */
export function CollateralPanel({ bank }: { readonly bank: WireBank }): VNode {
  const { weights, emode, risk_tier, asset_tag, borrowable } = bank;
  const pair = (init: number | null, maint: number | null) => html`${factor(init)} to borrow, ${factor(maint)} to keep`;
  return html`
    <section class="panel" aria-labelledby="collateral-title">
      <div class="panel-head"><h2 id="collateral-title">Collateral</h2></div>
      <div class="panel-body">
        <dl class="facts">
          <${Fact} label="A deposit counts">
            ${risk_tier === 'Isolated' ? 'for no debt' : pair(weights.asset_weight_init, weights.asset_weight_maint)}
          <//>
          ${
            borrowable &&
            html`<${Fact} label="A debt counts">${pair(weights.liability_weight_init, weights.liability_weight_maint)}<//>`
          }
          <${Fact} label="Risk tier">${risk_tier}<//>
          <${Fact} label="Shares an account as">${asset_tag}<//>
          <${Fact} label="E-mode tag">${emode === null ? 'none' : emode.tag}<//>
        </dl>
      </div>
      ${
        emode !== null &&
        emode.entries.length > 0 &&
        html`<${DataTable}
          caption="Better weights while this bank is the debt"
          columns=${EMODE_COLUMNS}
          rows=${emode.entries}
          rowKey=${({ collateral_tag }: EmodeEntry) => String(collateral_tag)}
        />`
      }
    </section>
  ` as unknown as VNode;
}

/** Weights come out of a binary fraction: four digits are all that was meant. */
function factor(value: number | null): VNode {
  return html`<${FigureText} text=${formatFactor(value === null ? null : Math.round(value * 10_000) / 10_000)} />`;
}
