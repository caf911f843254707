import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';

/** One metric as `docs/guide/metrics.md` describes it. */
export interface MetricRow {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  /** `all`, or the services that tell it. */
  readonly toldBy: readonly string[];
}

/** The page's rows; a row may name several metrics that have all else in common. */
export function readMetricsPage(): readonly MetricRow[] {
  const page = readFileSync(join(ROOT, 'docs/guide/metrics.md'), 'utf8');
  return [...page.matchAll(/^\| (`[^|]+`) \| (counter|gauge|histogram) \| ([^|]+) \| [^|]{5,} \|$/gm)].flatMap(
    ([, names = '', type = '', toldBy = '']) =>
      [...names.matchAll(/`([a-z0-9_]+)(?:\{([^}]*)\})?`/g)].map(([, name = '', labels = '']) => ({
        name,
        type,
        labels: labels.split(',').filter((label) => label !== ''),
        toldBy: toldBy.split(', '),
      })),
  );
}

/** What a scrape tells: each metric's type, and the labels of its series; null where it has no series yet. */
export function readScrape(
  text: string,
): ReadonlyMap<string, { readonly type: string; readonly labels: readonly string[] | null }> {
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Map(types.map(([, name = '', type = '']) => [name, { type, labels: labelsIn(text, name) }]));
}

function labelsIn(text: string, name: string): readonly string[] | null {
  const series = new RegExp(`^${name}(?:_count)?(?:\\{(.*)\\})? \\S+$`, 'm').exec(text);
  if (series === null) return null;
  return [...(series[1] ?? '').matchAll(/(?:^|,)([a-z_]+)="/g)].map(([, label = '']) => label);
}

/** Where what is told and the page differ: metrics without a row for who tells them, of another type, or with other labels. */
export function differencesFromPage(text: string, service?: string): readonly string[] {
  const rows = new Map(readMetricsPage().map((row) => [row.name, row]));
  return [...readScrape(text)].flatMap(([name, { type, labels }]) => {
    const row = rows.get(name);
    if (row === undefined) return [`${name} has no row`];
    const isTold = service === undefined || row.toldBy.includes('all') || row.toldBy.includes(service);
    return [
      ...(row.type === type ? [] : [`${name} is a ${type}`]),
      ...(isTold ? [] : [`${name} is told by the ${service}`]),
      ...(labels === null || labels.toSorted().join() === row.labels.toSorted().join()
        ? []
        : [`${name} has ${labels}`]),
    ];
  });
}
