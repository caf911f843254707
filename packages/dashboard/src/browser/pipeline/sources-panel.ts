import type { VNode } from 'preact';
import { formatCount } from '../format/number.ts';
import { formatSeconds } from '../format/time.ts';
import { html } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import { type Column, DataTable } from '../parts/data-table.ts';
import { FigureText } from '../parts/figure-text.ts';
import { Empty } from '../parts/states.ts';
import type { WireSource } from './wire-status.ts';

const STATES = {
  serving: ['good', 'Serves'],
  lagging: ['warning', 'Lags'],
  resting: ['bad', 'Fails'],
  refused: ['bad', 'Refused'],
  unknown: ['plain', 'Not asked yet'],
} as const;

/** What every process hears from. */
export function SourcesPanel({ sources }: { readonly sources: readonly WireSource[] | null }): VNode {
  return html`
    <section class="panel" aria-labelledby="sources-title">
      <div class="panel-head"><h2 id="sources-title">Nodes and aggregators</h2></div>
      ${
        sources === null || sources.length === 0
          ? html`<${Empty} title="Nothing is known of them" />`
          : html`<${DataTable} caption="What every process hears from" columns=${COLUMNS} rows=${sources} rowKey=${({ role, instance, kind, host }: WireSource) => `${role} ${instance} ${kind} ${host}`} />`
      }
    </section>
  `;
}

const COLUMNS: readonly Column<WireSource>[] = [
  { key: 'host', label: 'Host', cell: ({ host }) => html`<code>${host}</code>` },
  { key: 'kind', label: 'Kind', cell: ({ kind }) => kind },
  {
    key: 'role',
    label: 'Heard by',
    cell: ({ role, instance }) => html`<span title=${`instance ${instance}`}>${role}</span>`,
  },
  {
    key: 'state',
    label: 'State',
    cell: ({ state, error }) => {
      const [tone, word] = STATES[state];
      return html`<${Badge} tone=${tone}>${word}<//>${error !== null && html` <code>${error}</code>`}`;
    },
  },
  { key: 'use', label: 'In use', title: 'Asked first, or heard', cell: ({ in_use: inUse }) => (inUse ? 'yes' : 'no') },
  {
    key: 'slot',
    label: 'Newest slot',
    align: 'end',
    cell: ({ newest_slot: slot }) => html`<${FigureText} text=${formatCount(slot)} />`,
  },
  {
    key: 'behind',
    label: 'Slots behind',
    title: 'Behind the source that is furthest, at the moment of its last slot',
    align: 'end',
    cell: ({ slots_behind: behind }) => html`<${FigureText} text=${formatCount(behind)} />`,
  },
  {
    key: 'answered',
    label: 'Answered',
    align: 'end',
    cell: ({ last_answer_seconds: age }) =>
      html`<${FigureText} text=${age === null ? 'never' : `${formatSeconds(age)} ago`} />`,
  },
];
