import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatTime, formatUtc } from '../format/time.ts';
import { html } from '../html.ts';
import { onColoursChange } from '../theme/theme.ts';
import { type ChartLine, isBlank } from './chart-line.ts';
import { createPlot, type Plot, type PlotPicture } from './chart-plot.ts';
import { boundsOutside, type ScaleKind, scaleOf } from './chart-scale.ts';
import { summariseChart } from './chart-summary.ts';
import { ChartTable } from './chart-table.ts';
import { FigureText } from './figure-text.ts';

export interface ChartProps {
  readonly title: string;
  /** What a reader should know of the figures. */
  readonly note?: string | undefined;
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly scale: ScaleKind;
  readonly format: (value: number | null) => string;
  /** Default: `format`. */
  readonly formatTick?: ((value: number) => string) | undefined;
  /** Charts of one name point at the same time together. */
  readonly group: string;
}

/**
 * Lines over time. A gap breaks them. What is pointed at, by mouse, touch or the arrow keys, is read out with its time in the reader's zone
 * and in UTC; the same figures are to be had as a table, and a sentence sums them up for who does not see the picture.
 */
export function Chart(props: ChartProps): VNode {
  const { title, note, times, lines, scale, format } = props;
  const [isTable, setIsTable] = useState(false);
  const [pointed, setPointed] = useState<number | null>(null);
  const picture = useMemo(() => ({ times, lines, range: scaleOf(scale, lines) }), [times, lines, scale]);
  const outside = boundsOutside(lines, picture.range);
  const place = pointed !== null && pointed < times.length ? pointed : null;
  const notes = [
    note ?? '',
    outside.length === 0 ? '' : `Above the picture: ${outside.map(({ label }) => label.toLowerCase()).join(', ')}.`,
  ].filter((text) => text !== '');
  return html`
    <figure class="chart" aria-label=${title}>
      <div class="chart-head">
        <h3>${title}</h3>
        <button type="button" class="quiet" aria-pressed=${isTable} onClick=${() => setIsTable(!isTable)}>
          Table<span class="visually-hidden"> of ${title}</span>
        </button>
      </div>
      <${Legend} times=${times} lines=${lines} place=${place} format=${format} />
      <p class="visually-hidden">${summariseChart(lines, format)}</p>
      ${
        isTable
          ? html`<${ChartTable} caption=${`Figures of ${title}`} times=${times} lines=${lines} format=${format} />`
          : html`<${PlotArea} key=${lines.map(({ key }) => key).join()} ...${props} picture=${picture} place=${place} onPoint=${setPointed} />`
      }
      ${notes.length > 0 && html`<figcaption class="chart-note">${notes.join(' ')}</figcaption>`}
    </figure>
  ` as unknown as VNode;
}

interface LegendProps extends Pick<ChartProps, 'times' | 'lines' | 'format'> {
  readonly place: number | null;
}

/** Which line is which, with its value at the time that is pointed at, or the newest known. */
function Legend({ times, lines, place, format }: LegendProps): VNode {
  const newest = times.findLastIndex((_, at) => lines.some(({ values }) => values[at] != null));
  const ms = (times[place ?? newest] ?? Number.NaN) * 1000;
  return html`
    <ul class="chart-legend">
      ${lines.map(({ key, label, colour, isDashed, values }) => {
        const value = place === null ? values.findLast((known) => known !== null) : values[place];
        return html`
          <li key=${key}>
            <span class=${`chart-key chart-key-${colour} ${isDashed === true ? 'chart-key-dashed' : ''}`} aria-hidden="true"></span>
            ${label} <strong><${FigureText} text=${format(value ?? null)} /></strong>
          </li>
        `;
      })}
    </ul>
    <p class="chart-time"><span>${place === null ? 'Newest, ' : ''}${formatTime(ms)}</span> <span>${formatUtc(ms)}</span></p>
  ` as unknown as VNode;
}

interface PlotAreaProps extends ChartProps {
  readonly picture: PlotPicture;
  readonly place: number | null;
  readonly onPoint: (place: number | null) => void;
}

/** The picture, and a way through it by keys: to who does not see it, it is a slider through time that says the figures. */
function PlotArea({ title, times, lines, format, formatTick, group, picture, place, onPoint }: PlotAreaProps): VNode {
  const element = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  useEffect(() => {
    const made = createPlot(
      element.current as HTMLDivElement,
      picture,
      { formatTick: formatTick ?? format, group, onPoint },
      onColoursChange,
    );
    plot.current = made;
    return () => {
      plot.current = null;
      made.destroy();
      onPoint(null);
    };
  }, []);
  const drawn = useRef(picture);
  useEffect(() => {
    if (drawn.current !== picture) plot.current?.draw(picture);
    drawn.current = picture;
  }, [picture]);
  const last = times.length - 1;
  const at = place ?? last;
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = placeAfter(event.key, at, last);
    if (target === null) return;
    event.preventDefault();
    plot.current?.point(target);
  };
  const figures = lines
    .filter((line) => !isBlank(line))
    .map(({ label, values }) => `${label} ${format(values[at] ?? null)}`);
  return html`
    <div
      class="chart-plot"
      ref=${element}
      role="slider"
      tabindex="0"
      aria-label=${`${title}: point in time`}
      aria-valuemin="0"
      aria-valuemax=${Math.max(0, last)}
      aria-valuenow=${Math.max(0, at)}
      aria-valuetext=${`${formatTime((times[at] ?? Number.NaN) * 1000)}: ${figures.join(', ')}`}
      onKeyDown=${onKeyDown}
    ></div>
  `;
}

/** Where a key leads from a place; null where it leads nowhere. */
function placeAfter(key: string, at: number, last: number): number | null {
  const leap = Math.max(1, Math.round(last / 10));
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    PageUp: at - leap,
    PageDown: at + leap,
    Home: 0,
    End: last,
  };
  const target = moves[key];
  return target === undefined || last < 0 ? null : Math.min(last, Math.max(0, target));
}
