import type { VNode } from 'preact';
import { formatRatio } from '../format/ratio.ts';
import { html } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import { type Column, DataTable } from '../parts/data-table.ts';
import { STATUS_WORDS } from './health-words.ts';
import type { WireStress } from './wire-account.ts';

const COLUMNS: readonly Column<WireStress>[] = [
  { key: 'shock', label: 'If prices fall by', cell: ({ shock_pct }) => `${Math.abs(shock_pct)}%` },
  {
    key: 'ratio',
    label: 'Health ratio',
    align: 'end',
    cell: ({ health_ratio: ratio, status }) =>
      ratio === null ? (status === 'unknown' ? 'unknown' : 'no debt') : formatRatio(ratio),
  },
  {
    key: 'status',
    label: 'Then',
    cell: ({ status }) => html`<${Badge} tone=${STATUS_WORDS[status].tone}>${STATUS_WORDS[status].label}<//>`,
  },
];

/** What a fall of the market does to an account. */
export function StressTable({ stress }: { readonly stress: readonly WireStress[] }): VNode {
  const falling = stress[0]?.applies_to ?? [];
  return html`
    <section class="panel" aria-label="Stress">
      <div class="panel-head">
        <h2>If the market falls</h2>
        <p class="panel-note">${falling.length === 0 ? 'Known dollars alone: nothing falls.' : `Falling: ${falling.join(', ')}`}</p>
      </div>
      <${DataTable} caption="Health after a fall of the market" columns=${COLUMNS} rows=${stress} rowKey=${({ shock_pct }: WireStress) => String(shock_pct)} />
    </section>
  `;
}
