import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';
import { describe, expect, it } from 'vitest';
import { differencesFromPage, readMetricsPage } from './metrics-page.ts';

interface CodeMetric {
  readonly name: string;
  readonly type: string;
  readonly file: string;
}

/** A call that makes a metric, its name first; a histogram says its unit before the next call. */
const CALL = /\bmetrics\??\.(counter|gauge|histogram)(?:<\w+>)?\(\s*\{\s*name: '([a-z-]+(?:\.[a-z_-]+){2,3})'/g;

/** Every metric that code of ours makes, by the name it is told under. */
function metricsInCode(): readonly CodeMetric[] {
  const files = ['packages', 'services', 'embedded']
    .flatMap((folder) => globSync(`${folder}/**/src/**/*.ts`, { cwd: ROOT }))
    .filter((file) => !/node_modules|\.test\.ts$|\/testing\//.test(file) && !file.endsWith('runtime/src/metrics.ts'));
  return files.flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    const calls = [...source.matchAll(CALL)];
    // A call that is written otherwise must not slip through.
    expect(source.match(/\bmetrics\??\.(counter|gauge|histogram)\b/g)?.length ?? 0, file).toBe(calls.length);
    return calls.map(({ index, 1: type = '', 2: name = '' }) => {
      const unit = /unit: '(\w+)'/.exec(source.slice(index, index + 400))?.[1];
      const ending = type === 'counter' ? '_total' : type === 'histogram' ? `_${unit}` : '';
      return { name: name.replaceAll(/[^a-z0-9]/g, '_') + ending, type, file };
    });
  });
}

describe('docs/guide/metrics.md', () => {
  const rows = readMetricsPage();
  const ours = rows.filter(({ name }) => !/^(process|nodejs)_/.test(name));
  const code = metricsInCode();

  it('[monitoring-metrics] has a row for every metric in the code, and none for any other', () => {
    expect(code.length).toBeGreaterThan(60);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    expect(ours.map(({ name, type }) => `${type} ${name}`).toSorted()).toEqual(
      [...new Set(code.map(({ name, type }) => `${type} ${name}`))].toSorted(),
    );
  });

  it('[monitoring-metrics] says of the services’ own metrics which of them tells it', () => {
    const folders = { api: 'services/api', indexer: 'services/indexer', poller: 'services/rate-poller' } as const;
    const wrong = ours.filter(({ name, toldBy }) => {
      const { file } = code.find((metric) => metric.name === name) as CodeMetric;
      const owner = Object.entries(folders).find(([, folder]) => file.startsWith(folder))?.[0];
      return owner !== undefined && toldBy.join() !== owner;
    });
    expect(wrong).toEqual([]);
  });
});

describe('differencesFromPage', () => {
  it('finds a metric without a row, of another type, with other labels, and of a service that is not named', () => {
    const text = [
      '# TYPE nobody_knows_this gauge',
      'nobody_knows_this 1',
      '# TYPE rate_leader_hold counter',
      'rate_leader_hold 1',
      '# TYPE bus_consumer_lag gauge',
      'bus_consumer_lag{group="projection",topic="t"} 1',
      '# TYPE project_message_write_total counter',
      'project_message_write_total{topic="t"} 1',
    ].join('\n');
    expect(differencesFromPage(text, 'poller')).toEqual([
      'nobody_knows_this has no row',
      'rate_leader_hold is a counter',
      'bus_consumer_lag is told by the poller',
      'bus_consumer_lag has group,topic',
      'project_message_write_total is told by the poller',
    ]);
  });
});
