import type { RunningProcess } from '@lending/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { Demo, useDemo } from '../src/cluster/demo.ts';
import { Opened, useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';
import type { BanksReply } from '../src/replies.ts';
import { type CollectedSpan, type Collector, startCollector } from '../src/tracing/collector.ts';

/** A sampled trace of a caller's own. */
const STRANGER = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const TRACEPARENT = `00-${STRANGER.traceId}-${STRANGER.spanId}-01`;

const settingsOf = (collectorUrl: string) => ({
  LOG_LEVEL: 'debug',
  LOG_FORMAT: 'json',
  POLL_P0_MS: '500',
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
});

interface Example {
  readonly wallet: string;
  readonly sol: string;
  readonly usdc: string;
}

async function findExample({ baseUrl, waitForLine }: RunningProcess): Promise<Example> {
  const [, wallet = ''] = await waitForLine(/^ *wallet +([1-9A-HJ-NP-Za-km-z]{32,44})/);
  // The banks come one after the other.
  return eventually(async () => {
    const { banks } = await getJson<BanksReply>(`${baseUrl}/v1/banks?venue=P0`);
    const [sol, usdc] = ['SOL', 'USDC'].map((name) => banks.find(({ symbol }) => symbol === name)?.address);
    if (sol === undefined || usdc === undefined) throw new Error('no banks yet');
    return { wallet, sol, usdc };
  });
}

async function callTool(
  { baseUrl }: RunningProcess,
  name: string,
  args: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
) {
  const client = new Client({ name: 'tracing', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }));
  try {
    return await client.callTool({ name, arguments: { ...args } });
  } finally {
    await client.close();
  }
}

async function readHeaders(demo: Demo): Promise<readonly unknown[]> {
  const rows = await demo.query<{ headers: unknown }>(
    `select distinct headers::text as headers from log_message join log_partition on log_partition.id = partition_id
     where topic = 'rate.sampled.v1'`,
  );
  return rows.map(({ headers }) => headers);
}

describe('a service that is traced', () => {
  const opened = useOpened();
  let collector: Collector;
  let example: Example;
  const settings = async () => {
    collector = opened.keep(await startCollector());
    return settingsOf(collector.url);
  };
  const demo = useDemo('tracing', settings, async ({ app }) => {
    example = await findExample(app);
  });

  /** The trace of the one request that called a tool, from its server span down. */
  async function traceOf(tool: string): Promise<readonly CollectedSpan[]> {
    return eventually(async () => {
      const calls = collector.spans.filter(({ name }) => name === `tools/call ${tool}`);
      expect(calls).toHaveLength(1);
      const top = collector.spans.find(
        ({ traceId, parentSpanId }) => traceId === calls[0]?.traceId && parentSpanId === '',
      );
      if (top === undefined) throw new Error('the request has not ended');
      return collector.below(top);
    });
  }

  /** Names from a span up to the first of its trace. */
  function wayUp(trace: readonly CollectedSpan[], span: CollectedSpan): readonly string[] {
    const parent = trace.find(({ spanId }) => spanId === span.parentSpanId);
    return parent === undefined ? [span.name] : [span.name, ...wayUp(trace, parent)];
  }

  it('[traces-reads] follows a read from its tool to its statements, as one trace', async () => {
    const answer = await callTool(
      demo.app,
      'svc_get_positions',
      { address: example.wallet },
      { traceparent: TRACEPARENT },
    );
    expect(answer.isError, JSON.stringify(answer)).not.toBe(true);
    const trace = await traceOf('svc_get_positions');
    expect(trace.length).toBe(collector.spans.filter(({ traceId }) => traceId === trace[0]?.traceId).length);
    const statement = trace.find(({ attributes }) => attributes['db.query.summary'] === 'SELECT balance');
    if (statement === undefined) throw new Error(`no statement among ${trace.map(({ name }) => name).join(', ')}`);
    expect(wayUp(trace, statement)).toEqual([
      'SELECT balance',
      'operation svc_get_positions',
      'tools/call svc_get_positions',
      'POST /mcp',
    ]);
    expect(statement.attributes).toMatchObject({ 'db.system.name': 'postgresql' });
    expect(trace[0]?.attributes).toMatchObject({ 'http.route': '/mcp', 'http.response.status_code': 200 });
    // A stranger neither chooses a trace of ours nor joins one: his is pointed at.
    expect(trace[0]?.traceId).not.toBe(STRANGER.traceId);
    expect(trace[0]?.links).toMatchObject([STRANGER]);
  });

  it('[traces-builds] follows a build to the node and the aggregators, with its steps', async () => {
    const args = {
      authority: example.wallet,
      create_new_account: true,
      deposit_bank: example.sol,
      borrow_bank: example.usdc,
    };
    const answer = await callTool(demo.app, 'svc_loop', { ...args, amount: 1, leverage: 1.5 });
    expect(answer.isError, JSON.stringify(answer)).not.toBe(true);
    const trace = await traceOf('svc_loop');
    const built = trace.find(({ name }) => name === 'build loop');
    expect(built?.events).toEqual(['read', 'crank', 'quote', 'simulate', 'judge']);
    const up = ['build loop', 'operation svc_loop', 'tools/call svc_loop', 'POST /mcp'];
    const ways = (scope: string) => trace.filter((span) => span.scope === scope).map((span) => wayUp(trace, span));
    expect(ways('lending.chain')).toContainEqual(['getMultipleAccounts', ...up]);
    expect(ways('lending.chain').some(([name]) => name?.startsWith('simulate'))).toBe(true);
    const quotes = ways('lending.transactions').filter(([name]) => /^(GET|POST) 127\.0\.0\.1:\d+$/.test(name ?? ''));
    expect(quotes.length).toBeGreaterThan(0);
    for (const [, ...above] of quotes) expect(above).toEqual(up);
    const asked = trace.find(({ name }) => name === 'getMultipleAccounts');
    expect(asked?.attributes['server.address']).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(JSON.stringify(trace)).not.toContain(example.wallet);
  });

  it('[traces-logs] writes every line of a request with its id, and the trace it is in', async () => {
    const id = 'tracing-7';
    const response = await fetch(`${demo.url}/v1/tx/deposit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': id },
      body: JSON.stringify({ authority: example.wallet, bank: example.sol, amount: 1 }),
    });
    expect(response.status, await response.clone().text()).toBe(200);
    // By the field: the text of other lines may hold the id by chance, such as one that names the data folder, tracing-7f3kQz.
    const lines = () =>
      demo.app.lines
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => line.request_id === id);
    await eventually(async () => expect(lines().map(({ event }) => event)).toContain('rest.request.answer'));
    // Deep in the build, where nobody knows of requests.
    expect(lines().map(({ event }) => event)).toContain('build.envelope.answer');
    const traceId = lines()[0]?.trace_id;
    expect(lines().filter((line) => line.trace_id !== traceId)).toEqual([]);
    await eventually(async () => {
      const top = collector.spans.find(({ attributes }) => attributes['lending.request_id'] === id);
      expect(top).toMatchObject({ name: 'POST /v1/tx/deposit', traceId });
    });
  });

  it('[traces-topics] points from the rows of a sample to the beat that read it', async () => {
    await eventually(async () => {
      const projected = collector.spans.filter(({ name }) => name === 'process rate.sampled.v1');
      const linked = projected.flatMap(({ links }) => links.map(({ traceId }) => traceId));
      const beats = collector.spans.filter(({ name, traceId }) => name === 'sample p0' && linked.includes(traceId));
      expect(beats.length).toBeGreaterThan(0);
      const [beat] = beats as [CollectedSpan];
      expect(collector.below(beat).map(({ name }) => name)).toContain('getMultipleAccounts');
      const batch = projected.find(({ links }) => links.some(({ traceId }) => traceId === beat.traceId));
      expect(batch?.parentSpanId).toBe('');
      expect(batch === undefined ? [] : collector.below(batch).map(({ scope }) => scope)).toContain('lending.store');
    });
    expect(await readHeaders(demo)).toContainEqual(expect.stringMatching(/^\{"traceparent":"00-[0-9a-f-]{49}-01"\}$/));
  });

  it('[traces-probes] keeps no trace of probes, and none of a background statement alone', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) await (await fetch(`${demo.url}${path}`)).text();
    await callTool(demo.app, 'svc_get_banks', { limit: 1 });
    await traceOf('svc_get_banks');
    const tops = collector.spans.filter(({ parentSpanId }) => parentSpanId === '');
    expect(tops.filter(({ name }) => /healthz|readyz|metrics/.test(name))).toEqual([]);
    expect(tops.filter(({ scope }) => scope === 'lending.store' || scope === 'lending.chain')).toEqual([]);
  });
});

describe('a service that is not', () => {
  it('[traces-off] loads no exporter, and leaves nothing on messages', async () => {
    const opened = new Opened();
    try {
      const collector = opened.keep(await startCollector());
      const demo = await opened.keep(new Demo('untraced')).start(settingsOf(''));
      const { wallet } = await findExample(demo.app);
      await callTool(demo.app, 'svc_get_positions', { address: wallet }, { traceparent: TRACEPARENT });
      expect(await readHeaders(demo)).toEqual([null]);
      expect(demo.app.lines.join('\n')).not.toContain('trace_id');
      expect(demo.app.lines.join('\n')).not.toContain('trace.export.start');
      expect(collector.received).toEqual([]);
    } finally {
      await opened.stop();
    }
  });

  it('[traces-collector-away] serves as ever while its collector is away, says so once, and stops in time', async () => {
    const demo = new Demo('collector-away');
    try {
      await demo.start(settingsOf('http://127.0.0.1:9'));
      const { wallet, sol } = await findExample(demo.app);
      const args = { authority: wallet, bank: sol, amount: 1 };
      // A busy machine may refuse a build that the next one takes.
      await eventually(async () => {
        const answer = await callTool(demo.app, 'svc_deposit', args);
        expect(answer.isError, JSON.stringify(answer)).not.toBe(true);
      });
      const said = () => demo.app.lines.filter((line) => line.includes('"trace.export.fail"')).length;
      await eventually(async () => expect(said()).toBe(1));
      const metrics = async () => (await fetch(`${demo.url}/metrics`)).text();
      await eventually(
        async () => expect(await metrics()).toMatch(/trace_span_drop_total\{reason="refused"\} [1-9]/),
        180_000,
      );
      await eventually(() => getJson(`${demo.url}/readyz`));
      expect(said()).toBe(1);
    } finally {
      await demo.stop();
    }
  });
});
