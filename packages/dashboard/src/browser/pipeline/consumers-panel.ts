import type { VNode } from 'preact';
import { useNow } from '../data/use-now.ts';
import { formatCount } from '../format/number.ts';
import { formatAge, formatUtc } from '../format/time.ts';
import { html } from '../html.ts';
import { type Column, DataTable } from '../parts/data-table.ts';
import { Empty } from '../parts/states.ts';
import type { WireConsumer } from './wire-status.ts';

/** How far the tables followed each topic. */
export function ConsumersPanel({ consumers }: { readonly consumers: readonly WireConsumer[] }): VNode {
  const now = useNow(1_000);
  const columns: readonly Column<WireConsumer>[] = [
    { key: 'topic', label: 'Topic', cell: ({ topic }) => html`<code>${topic}</code>` },
    { key: 'group', label: 'Read by', cell: ({ group }) => group },
    {
      key: 'position',
      label: 'Position',
      title: 'Next offset, summed over the partitions',
      align: 'end',
      cell: ({ position }) => formatCount(Number(position)),
    },
    { key: 'partitions', label: 'Partitions', align: 'end', cell: ({ partitions }) => formatCount(partitions) },
    {
      key: 'moved',
      label: 'Last moved',
      align: 'end',
      cell: ({ updated_at: time }) =>
        html`<time datetime=${time} title=${formatUtc(time)}>${formatAge(time, now)}</time>`,
    },
  ];
  return html`
    <section class="panel" aria-labelledby="consumers-title">
      <div class="panel-head"><h2 id="consumers-title">Topics</h2></div>
      ${
        consumers.length === 0
          ? html`<${Empty} title="Nothing was read yet" />`
          : html`<${DataTable} caption="How far the tables followed each topic" columns=${columns} rows=${consumers} rowKey=${({ group, topic }: WireConsumer) => `${group} ${topic}`} />`
      }
    </section>
  `;
}
