import type { VNode } from 'preact';
import { formatTime, formatUtc } from '../format/time.ts';
import { html } from '../html.ts';
import type { ChartLine } from './chart-line.ts';
import { type Column, DataTable } from './data-table.ts';
import { FigureText } from './figure-text.ts';

interface ChartTableProps {
  readonly caption: string;
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly format: (value: number | null) => string;
}

/** The figures of a chart, newest first. */
export function ChartTable({ caption, times, lines, format }: ChartTableProps): VNode {
  const columns: readonly Column<number>[] = [
    {
      key: 'time',
      label: 'Time',
      cell: (place) => {
        const ms = (times[place] ?? Number.NaN) * 1000;
        return html`<time datetime=${new Date(ms).toISOString()} title=${formatUtc(ms)}>${formatTime(ms)}</time>`;
      },
    },
    ...lines.map(
      ({ key, label, values }): Column<number> => ({
        key,
        label,
        align: 'end',
        cell: (place) => html`<${FigureText} text=${format(values[place] ?? null)} />`,
      }),
    ),
  ];
  const places = [...times.keys()].reverse();
  return html`
    <div class="chart-table">
      <${DataTable} caption=${caption} columns=${columns} rows=${places} rowKey=${String} />
    </div>
  `;
}
