import { parser } from '@prometheus-io/lezer-promql';

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
