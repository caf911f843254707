import type { VNode } from 'preact';
import { shortAddress } from '../format/address.ts';
import { formatCount, UNKNOWN } from '../format/number.ts';
import { html } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import { type Column, DataTable } from '../parts/data-table.ts';
import { FigureText } from '../parts/figure-text.ts';
import { Empty } from '../parts/states.ts';
import type { WireIndexer, WireTask } from './wire-status.ts';

const TASK_COLUMNS: readonly Column<WireTask>[] = [
  {
    key: 'kind',
    label: 'Reading',
    cell: ({ kind, address }) => `${kind}${address === null ? '' : ` of ${shortAddress(address)}`}`,
  },
  {
    key: 'done',
    label: 'Done',
    align: 'end',
    cell: ({ done, total }) => (total === null ? formatCount(done) : `${formatCount(done)} of ${formatCount(total)}`),
  },
  {
    key: 'rate',
    label: 'Each second',
    align: 'end',
    cell: ({ rate_per_second: rate }) => html`<${FigureText} text=${rate === null ? UNKNOWN : rate.toFixed(1)} />`,
  },
];

/** How far accounts and activity were followed. */
export function IndexerPanel({ indexer }: { readonly indexer: WireIndexer | null }): VNode {
  if (indexer === null) {
    return html`<section class="panel" aria-label="Accounts and activity"><${Empty} title="Nothing is known of accounts">The database does not answer.<//></section>`;
  }
  const { tip, root_slot, unfinal_slots, accounts_complete, open_tasks, tasks, followed } = indexer;
  const figure = (value: number | null | undefined) => html`<${FigureText} text=${formatCount(value)} />`;
  return html`
    <section class="panel" aria-labelledby="indexer-title">
      <div class="panel-head">
        <h2 id="indexer-title">Accounts and activity</h2>
        <${Badge} tone=${tip !== null && !tip.stale ? 'good' : 'warning'}>${tip === null ? 'Nothing yet' : tip.stale ? 'Behind' : 'Current'}<//>
      </div>
      <dl class="facts facts-wide">
        <div><dt>Told up to slot</dt><dd>${figure(tip?.slot)}</dd></div>
        <div><dt>Final up to slot</dt><dd>${figure(root_slot)}</dd></div>
        <div><dt>Slots that may still be dropped</dt><dd>${figure(unfinal_slots)}</dd></div>
        <div><dt>Accounts read</dt><dd>${accounts_complete ? 'all there are' : 'those that were asked for'}</dd></div>
        <div><dt>Followed because somebody asked</dt><dd>${formatCount(followed.count)} of at most ${formatCount(followed.limit)}</dd></div>
        <div><dt>Asked for and not read yet</dt><dd>${formatCount(followed.unanswered)}</dd></div>
        <div><dt>Parts of the past being read</dt><dd>${formatCount(open_tasks)}</dd></div>
      </dl>
      ${tasks.length > 0 && html`<${DataTable} caption="Parts of the past that are being read" columns=${TASK_COLUMNS} rows=${tasks} rowKey=${({ task }: WireTask) => task} />`}
    </section>
  `;
}
