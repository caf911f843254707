import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@lending/testing';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { useDemo } from '../src/cluster/demo.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';
import {
  expandPromQl,
  expandSql,
  metricNamesOf,
  metricsIn,
  type Panel,
  queriesOf,
  readDashboards,
} from '../src/monitoring/dashboards.ts';
import { differencesFromPage, readMetricsPage, readScrape } from '../src/monitoring/metrics-page.ts';
import { hasPrometheus, type RunningPrometheus, startPrometheus } from '../src/monitoring/prometheus.ts';

const run = promisify(execFile);
const PROMETHEUS_DIR = join(ROOT, 'infra/prometheus');
const HAS_PROMETHEUS = hasPrometheus();
/** Told only where the api speaks HTTPS, traces are sent to a collector, or history is taken over from venues, which a local chain has none of. */
const ELSEWHERE = [
  'api_certificate_expire_seconds',
  'rate_backfill_publish_total',
  'trace_span_drop_total',
  'trace_span_export_total',
];
const PASSWORD = "it's a password";

const dashboards = readDashboards();
const queries = [...dashboards.values()].flatMap(queriesOf);
const rules = (
  parse(readFileSync(join(PROMETHEUS_DIR, 'rules.yml'), 'utf8')) as {
    groups: readonly { rules: readonly { alert: string; expr: string }[] }[];
  }
).groups.flatMap((group) => group.rules);

describe('what watches over the service', () => {
  let reader: pg.Client;
  let prometheus: RunningPrometheus | undefined;
  const demo = useDemo('monitoring', { POLL_P0_MS: '500' }, async ({ dataDir, url, databaseUrl }) => {
    reader = await signInAsReader(databaseUrl);
    opened.defer(() => reader.end());
    if (!HAS_PROMETHEUS) return;
    prometheus = opened.keep(
      await startPrometheus({
        dataDir,
        target: url,
        jobs: ['api', 'indexer', 'rate-poller'],
        rulesFile: join(PROMETHEUS_DIR, 'rules.yml'),
      }),
    );
  });
  const opened = useOpened();

  it('[monitoring-dashboards] every panel over the tables is answered to a user who may read the views only', async () => {
    const asked = queries.filter(({ kind }) => kind === 'sql');
    expect(asked.length).toBeGreaterThan(20);
    const bank = await eventually(async () => {
      const { rows } = await reader.query("select bank from v_bank where symbol = 'USDC' and venue = 'p0'");
      if (rows.length === 0) throw new Error('the bank of USDC is not known yet');
      return rows[0].bank as string;
    });
    const variables = { venue: ['p0', 'kamino'], symbol: ['USDC', "O'SOL"], bank: [bank] };
    for (const { name, text, format } of asked) {
      const { fields } = await reader.query(expandSql(text, variables)).catch((error: unknown) => {
        throw new Error(`${name}: ${String(error)}`, { cause: error });
      });
      // Numbers as floats: exact decimals would reach a chart as text.
      expect(
        fields.filter(({ dataTypeID }) => dataTypeID === pg.types.builtins.NUMERIC).map((field) => field.name),
        name,
      ).toEqual([]);
      if (format === 'time_series') expect(fields[0]?.name, name).toBe('time');
    }
    await expect(reader.query('select * from account')).rejects.toThrow(/permission denied/);
    await expect(reader.query('create temporary table mine (id int)')).rejects.toThrow(/read-only/);
  });

  it('[monitoring-dashboards] panels do not lie over each other, are described, and ask where they are provisioned', () => {
    const provisioned = parse(
      readFileSync(join(ROOT, 'infra/grafana/provisioning/datasources/lending.yml'), 'utf8'),
    ) as { datasources: readonly { uid: string }[] };
    const known = provisioned.datasources.map(({ uid }) => uid);
    expect(queries.map(({ datasource }) => datasource).filter((uid) => !known.includes(uid))).toEqual([]);
    expect(dashboards.size).toBeGreaterThanOrEqual(4);
    for (const [file, { uid, panels }] of dashboards) {
      expect(uid).toBe(file);
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      for (const [index, panel] of panels.entries()) {
        expect(panel.description, `${uid}: ${panel.title}`).toMatch(/\w{3}.*\.$/s);
        expect(panel.gridPos.x + panel.gridPos.w).toBeLessThanOrEqual(24);
        const under = panels.slice(index + 1).find((other) => overlap(panel, other));
        expect(under?.title, `${uid}: ${panel.title} lies over`).toBeUndefined();
      }
    }
  });

  it('[monitoring-metrics] every metric that a panel or an alarm reads is one that the services tell', async () => {
    const told = metricsIn(await (await fetch(`${demo.url}/metrics`)).text());
    const asked = [
      ...queries.filter(({ kind }) => kind === 'promql').map(({ name, text }) => [name, expandPromQl(text)] as const),
      ...rules.map(({ alert, expr }) => [alert, expr] as const),
    ];
    expect(asked.length).toBeGreaterThan(30);
    const unknown = asked.flatMap(([name, expression]) =>
      metricNamesOf(expression)
        .filter((metric) => metric !== 'up' && !told.has(metric) && !ELSEWHERE.includes(metric))
        .map((metric) => `${name}: ${metric}`),
    );
    expect(unknown).toEqual([]);
  });

  it('[monitoring-metrics] every metric that the process tells has its row in the guide, as it is told', async () => {
    // Labels are seen once a route was answered and a message was handled.
    await getJson(`${demo.url}/v1/banks`);
    const text = await eventually(async () => {
      const told = await (await fetch(`${demo.url}/metrics`)).text();
      if (!told.includes('bus_consumer_lag{')) throw new Error('nobody measured yet');
      return told;
    });
    expect(differencesFromPage(text)).toEqual([]);
    const told = readScrape(text);
    const untold = readMetricsPage().filter(({ name }) => !told.has(name));
    expect(untold.map(({ name }) => name).toSorted()).toEqual(ELSEWHERE);
  });

  describe.skipIf(!HAS_PROMETHEUS)('in a real Prometheus (apt-get install prometheus)', () => {
    it('[monitoring-alarms] every alarm goes off when it should, and not before', async () => {
      const tests = readFileSync(join(PROMETHEUS_DIR, 'rules.test.yml'), 'utf8');
      const guide = readFileSync(join(ROOT, 'docs/guide/monitoring.md'), 'utf8');
      for (const { alert } of rules) {
        expect(tests).toContain(`name: ${alert}\n`);
        expect(guide).toContain(`\`${alert}\``);
      }
      await run('promtool', ['check', 'config', 'prometheus.yml'], { cwd: PROMETHEUS_DIR });
      await run('promtool', ['test', 'rules', 'rules.test.yml'], { cwd: PROMETHEUS_DIR });
    });

    it('[monitoring-alarms] a service that works sets none off, and its panels show figures', async () => {
      await eventually(async () => {
        const shown = await ask('sum(rate(rate_sample_publish_total[5m]))');
        if (!shown.some(([, value]) => Number(value) > 0)) throw new Error('not scraped twice yet');
      });
      for (const { name, text } of queries.filter(({ kind }) => kind === 'promql')) {
        await ask(expandPromQl(text)).catch((error: unknown) => {
          throw new Error(`${name}: ${String(error)}`, { cause: error });
        });
      }
      const groups = await prometheusGet<{ groups: readonly { rules: readonly LoadedRule[] }[] }>('/api/v1/rules');
      const loaded = groups.groups.flatMap((group) => group.rules);
      expect(loaded.map(({ name }) => name).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
      expect(loaded.filter(({ health }) => health === 'err')).toEqual([]);
      expect(loaded.filter(({ state }) => state === 'firing').map(({ name }) => name)).toEqual([]);
    });

    async function ask(query: string): Promise<readonly (readonly [number, string])[]> {
      const found = await prometheusGet<{ result: readonly { value: [number, string] }[] }>(
        `/api/v1/query?query=${encodeURIComponent(query)}`,
      );
      return found.result.map(({ value }) => value);
    }

    async function prometheusGet<T>(path: string): Promise<T> {
      const body = await eventually(() =>
        getJson<{ status: string; error?: string; data: T }>(`${prometheus?.url}${path}`),
      );
      if (body.status !== 'success') throw new Error(body.error);
      return body.data;
    }
  });
});

interface LoadedRule {
  readonly name: string;
  readonly health: 'ok' | 'err' | 'unknown';
  readonly state: 'inactive' | 'pending' | 'firing';
}

/** Makes the dashboards' user as the compose file does, and signs in as it. */
async function signInAsReader(connectionString: string): Promise<pg.Client> {
  const owner = new pg.Client({ connectionString });
  await owner.connect();
  await owner.query("select set_config('reader.password', $1, false)", [PASSWORD]);
  await owner.query(await readFile(join(ROOT, 'infra/grafana/reader.sql'), 'utf8'));
  await owner.end();
  const url = new URL(connectionString);
  url.username = 'dashboard';
  url.password = encodeURIComponent(PASSWORD);
  const reader = new pg.Client({ connectionString: url.href });
  await reader.connect();
  return reader;
}

function overlap({ gridPos: a }: Panel, { gridPos: b }: Panel): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}
