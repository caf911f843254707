import uPlot from 'uplot';
import { type ChartLine, lonePlaces } from './chart-line.ts';
import type { ScaleRange } from './chart-scale.ts';
import { timeExtent, timeTicks } from './chart-time.ts';

/** What is drawn. */
export interface PlotPicture {
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly range: ScaleRange;
}

interface PlotOptions {
  readonly formatTick: (value: number) => string;
  /** Charts of one name point at the same time together. */
  readonly group: string;
  /** Told the place of the time that is pointed at; null when none is. */
  readonly onPoint: (place: number | null) => void;
}

export interface Plot {
  draw(picture: PlotPicture): void;
  /** Points at a time, as a mouse would. */
  point(place: number): void;
  destroy(): void;
}

const HEIGHT_PX = 220;
/** Between ticks of time, s. Nothing is sampled into less than a minute; from a month on, steps are months of the calendar. */
const TICK_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60),
  ...[1, 2, 3, 6, 12].map((hours) => hours * 3_600),
  ...[1, 2, 3, 5, 7, 10, 15, 30, 60, 90, 180, 365].map((days) => days * 86_400),
];
const FONT = '12px ui-sans-serif, system-ui, sans-serif';

/** The picture of a chart in `element`, as wide as that is. It follows changes of the width and, told by `colours`, of the theme. */
export function createPlot(
  element: HTMLElement,
  first: PlotPicture,
  { formatTick, group, onPoint }: PlotOptions,
  onColoursChange: (listener: () => void) => () => void,
): Plot {
  let picture = first;
  const colour = createColours(element);
  const width = (): number => Math.max(1, Math.floor(element.clientWidth));
  const plot = new uPlot(
    {
      width: width(),
      height: HEIGHT_PX,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 }, sync: { key: group } },
      scales: { x: { range: () => [...timeExtent(picture.times)] }, y: { range: () => [...picture.range] } },
      axes: [
        axis(colour, {
          space: 64,
          size: 28,
          incrs: TICK_STEPS,
          values: (_, times, __, ___, step) => [...timeTicks(times, step)],
        }),
        axis(colour, {
          space: 36,
          size: (_, labels) => 14 + 7 * Math.max(0, ...(labels ?? []).map((label) => label.length)),
          values: (_, values) => values.map((value) => formatTick(value)),
        }),
      ],
      series: [{}, ...first.lines.map((line) => series(line, colour))],
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    },
    dataOf(first),
    element,
  );
  const resizing = new ResizeObserver(() => {
    if (width() !== plot.width) plot.setSize({ width: width(), height: HEIGHT_PX });
  });
  resizing.observe(element);
  const forget = onColoursChange(() => plot.redraw(false, true));
  return {
    draw(next) {
      picture = next;
      plot.setData(dataOf(next));
    },
    point(place) {
      const time = picture.times[place];
      if (time !== undefined) plot.setCursor({ left: plot.valToPos(time, 'x'), top: 0 });
    },
    destroy() {
      forget();
      resizing.disconnect();
      plot.destroy();
    },
  };
}

function dataOf({ times, lines }: PlotPicture): uPlot.AlignedData {
  return [[...times], ...lines.map(({ values }) => [...values])];
}

function axis(colour: (name: string) => string, options: uPlot.Axis): uPlot.Axis {
  const line = { stroke: () => colour('--line'), width: 1 };
  return { stroke: () => colour('--ink-2'), font: FONT, grid: line, ticks: { ...line, size: 4 }, ...options };
}

function series(line: ChartLine, colour: (name: string) => string): uPlot.Series {
  const stroke = (): string => colour(`--line-${line.colour}`);
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  return {
    label: line.label,
    stroke,
    width: 2,
    ...(line.isDashed === true && { dash: [6, 4], width: 1.5 }),
    ...(line.isStepped === true && stepped !== undefined && { paths: stepped }),
    // What stands alone between gaps would be a line of no length.
    points: { show: false, filter: (plot, index) => lonePlaces([...(plot.data[index] ?? [])]), size: 6, fill: stroke },
  };
}

/** Resolves a colour of the theme. A canvas does not know our names, and `light-dark()` is only resolved where a colour is used. */
function createColours(element: HTMLElement): (name: string) => string {
  const probe = document.createElement('span');
  probe.hidden = true;
  element.append(probe);
  return (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
}
