import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '@lending/testing';
import { parser } from '@prometheus-io/lezer-promql';

/** One question of a panel. */
export interface PanelQuery {
  /** Dashboard, panel and query, to be read in a failed test. */
  readonly name: string;
  readonly datasource: string;
  readonly kind: 'sql' | 'promql';
  /** A panel over time wants a column `time`. */
  readonly format: 'time_series' | 'table';
  readonly text: string;
}

interface Target {
  readonly refId: string;
  readonly datasource: { readonly uid: string };
  readonly rawSql?: string;
  readonly format?: 'time_series' | 'table';
  readonly expr?: string;
}
export interface Panel {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly Target[];
}
export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { name: string; query: string; multi: boolean; datasource: { uid: string } }[];
  };
}

/** The dashboards as they are provisioned, by file name. */
export function readDashboards(): ReadonlyMap<string, Dashboard> {
  const files = globSync('infra/grafana/dashboards/*.json', { cwd: ROOT });
  return new Map(
    files.map((file) => [basename(file, '.json'), JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Dashboard]),
  );
}

/** Everything a dashboard asks, variables included. */
export function queriesOf(dashboard: Dashboard): readonly PanelQuery[] {
  const variables = dashboard.templating.list.map(
    ({ name, query, datasource }): PanelQuery => ({
      name: `${dashboard.title} / variable ${name}`,
      datasource: datasource.uid,
      kind: 'sql',
      format: 'table',
      text: query,
    }),
  );
  const panels = dashboard.panels.flatMap(({ title, targets }) =>
    targets.map((target): PanelQuery => {
      const kind = target.rawSql === undefined ? 'promql' : 'sql';
      return {
        name: `${dashboard.title} / ${title} ${target.refId}`,
        datasource: target.datasource.uid,
        kind,
        format: target.format ?? 'table',
        text: target.rawSql ?? target.expr ?? '',
      };
    }),
  );
  return [...variables, ...panels];
}

/** What Grafana makes of its own words before it asks: a time range, and the variables chosen. */
export function expandSql(text: string, variables: Readonly<Record<string, readonly string[]>>): string {
  return text
    .replaceAll(/\$__timeFilter\((\w+)\)/g, "$1 between now() - interval '30 days' and now()")
    .replaceAll(/\$\{(\w+):sqlstring\}/g, (_, name: string) => {
      const chosen = variables[name];
      if (chosen === undefined) throw new Error(`no variable ${name}`);
      return chosen.map((value) => `'${value.replaceAll("'", "''")}'`).join(',');
    });
}

/** The same of PromQL. */
export function expandPromQl(text: string): string {
  return text.replaceAll('$__range', '5m');
}

/**
 * The metrics that an expression reads.
 * @throws Error where it is no PromQL.
 */
export function metricNamesOf(expression: string): readonly string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`no PromQL at ${node.from}: ${expression}`);
      if (node.name === 'VectorSelector') {
        const identifier = node.node.getChild('Identifier');
        if (identifier !== null) names.push(expression.slice(identifier.from, identifier.to));
      }
    },
  });
  return names;
}

/** What a scrape says there is: histograms by each of their series. */
export function metricsIn(scraped: string): ReadonlySet<string> {
  const names = [...scraped.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  return new Set(names);
}
