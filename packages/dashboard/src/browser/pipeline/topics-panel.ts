import type { VNode } from 'preact';
import { useNow } from '../data/use-now.ts';
import { formatCount } from '../format/number.ts';
import { formatAge, formatSeconds, formatUtc } from '../format/time.ts';
import { html } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import { type Column, DataTable } from '../parts/data-table.ts';
import { FigureText } from '../parts/figure-text.ts';
import { Empty } from '../parts/states.ts';
import type { WireConsumer, WireStatus, WireTopic } from './wire-status.ts';

type Row = WireTopic & Partial<Pick<WireConsumer, 'position' | 'updated_at'>>;

/** What waits in each topic, and how far the tables followed it. */
export function TopicsPanel({
  status: { topics, consumers },
}: {
  readonly status: Pick<WireStatus, 'topics' | 'consumers'>;
}): VNode {
  const now = useNow(1_000);
  const keyOf = ({ group, topic }: Pick<Row, 'group' | 'topic'>) => `${group} ${topic}`;
  const followed = new Map(consumers.map((consumer) => [keyOf(consumer), consumer]));
  const rows: readonly Row[] = (topics ?? []).map((topic) => ({ ...followed.get(keyOf(topic)), ...topic }));
  return html`
    <section class="panel" aria-labelledby="topics-title">
      <div class="panel-head"><h2 id="topics-title">Topics</h2></div>
      ${
        rows.length === 0
          ? html`<${Empty} title="Nobody measured what waits yet" />`
          : html`<${DataTable} caption="What waits in each topic" columns=${columns(now)} rows=${rows} rowKey=${keyOf} />`
      }
    </section>
  `;
}

function columns(now: number): readonly Column<Row>[] {
  const unknown = ({ unknown_since: since }: Row) =>
    since === null ? undefined : `unknown since ${formatUtc(since)}: no indexer measures`;
  return [
    { key: 'topic', label: 'Topic', cell: ({ topic }) => html`<code>${topic}</code>` },
    {
      key: 'behind',
      label: 'Waiting',
      title: 'Messages that the tables do not know yet',
      align: 'end',
      cell: (row) => html`<${FigureText} text=${formatCount(row.behind)} title=${unknown(row) ?? worst(row)} />`,
    },
    {
      key: 'lag',
      label: 'Oldest waits',
      title: 'To some five seconds',
      align: 'end',
      cell: (row) =>
        html`<${FigureText} text=${row.behind === 0 ? 'nothing' : formatSeconds(row.lag_seconds)} title=${unknown(row)} />`,
    },
    {
      key: 'rate',
      label: 'Handled a second',
      title: 'Over the last minute',
      align: 'end',
      cell: (row) =>
        html`<${FigureText} text=${row.handled_per_second === null ? formatCount(null) : row.handled_per_second.toFixed(1)} title=${unknown(row)} />`,
    },
    {
      key: 'dead',
      label: 'Dead',
      title: 'Messages that could not be handled and lie on the dead topic',
      align: 'end',
      cell: (row) =>
        row.dead !== null && row.dead > 0
          ? html`<${Badge} tone="bad">${formatCount(row.dead)}<//>`
          : html`<${FigureText} text=${formatCount(row.dead)} title=${unknown(row)} />`,
    },
    {
      key: 'position',
      label: 'Position',
      title: 'Next offset, summed over the partitions',
      align: 'end',
      cell: ({ position }) => formatCount(position === undefined ? null : Number(position)),
    },
    { key: 'partitions', label: 'Partitions', align: 'end', cell: ({ partitions }) => formatCount(partitions) },
    {
      key: 'moved',
      label: 'Last moved',
      align: 'end',
      cell: ({ updated_at: time }) =>
        time === undefined
          ? html`<${FigureText} text="never" />`
          : html`<time datetime=${time} title=${formatUtc(time)}>${formatAge(time, now)}</time>`,
    },
  ];
}

function worst({ worst_partition: one }: Row): string | undefined {
  return one === null ? undefined : `${formatCount(one.behind)} of them in partition ${one.partition}`;
}
