import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tellStory } from '@lending/examples';
import { SWAP_PROGRAM } from '@lending/localnet';
import { findFreePort } from '@lending/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ComposeRun, ENGINE_NEED, FILES, hasEngine, openCompose } from '../src/engine/compose-run.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';
import { askOverMcp } from '../src/mcp-story/ask-over-mcp.ts';
import { connectModern } from '../src/mcp-story/mcp-callers.ts';

const isFound = hasEngine();
const SERVICES = ['rate-poller', 'indexer', 'api'] as const;
/** Without `--wait`: Compose 2 takes a job that has ended for a failure. */
const UP = ['up', '-d', 'chain', ...SERVICES];
const PASSWORD = `p/#?%'"&${'é'}`;
const SHORT_MS = 240_000;
const project = `lending-test-${process.pid}`;

/** One after the other, on one project: each goes on with what the one before left. */
describe.skipIf(!isFound)(isFound ? 'containers' : `containers (${ENGINE_NEED})`, { timeout: 1_200_000 }, () => {
  let compose: ComposeRun;
  let url: string;
  let rpcUrl: string;

  const ready = () => eventually(() => getJson(`${url}/readyz`), SHORT_MS);
  const samples = async () => Number(await compose.query('select count(*) from rate_sample'));
  const moreSamples = async () => {
    const before = await samples();
    await eventually(async () => expect(await samples()).toBeGreaterThan(before), SHORT_MS, 1_000);
  };
  const id = async (service: string) => (await compose.must(['ps', '-aq', service])).trim();
  /** The program itself, not the init of its container: an engine takes a kill through it for a wish to stop. */
  const killProgram = async (service: string) => {
    const init = execFileSync('docker', ['inspect', '-f', '{{.State.Pid}}', await id(service)], {
      encoding: 'utf8',
    }).trim();
    const [program = init] = readFileSync(`/proc/${init}/task/${init}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean);
    process.kill(Number(program), 'SIGKILL');
  };

  beforeAll(async () => {
    const [api, chain] = [await findFreePort(), await findFreePort()];
    url = `http://127.0.0.1:${api}`;
    rpcUrl = `http://127.0.0.1:${chain}`;
    compose = openCompose(project, {
      SOLANA_RPC_URL: 'http://chain:8900',
      SOLANA_WS_URL: 'ws://chain:8900',
      CHAIN_SOURCE: 'localnet',
      JUPITER_URL: 'http://chain:8901',
      DFLOW_URL: 'http://chain:8902',
      SWITCHBOARD_CROSSBAR_URL: 'http://chain:8903',
      SWITCHBOARD_GATEWAY_HOSTS: 'chain',
      SWAP_PROGRAMS: SWAP_PROGRAM,
      INDEX_SCOPE: 'all',
      RATE_LIMIT_V1: '6000',
      RATE_LIMIT_MCP: '6000',
      RATE_LIMIT_TX: '6000',
      RATE_LIMIT_LEVERAGE: '6000',
      POSTGRES_PASSWORD: PASSWORD,
      WRITER_PASSWORD: `w${PASSWORD}`,
      API_PASSWORD: `a${PASSWORD}`,
      API_PUBLISH: String(api),
      CHAIN_PUBLISH: String(chain),
    });
    await compose.must(['build']);
  }, 1_800_000);

  afterAll(() => compose?.run(['down', '-v', '--timeout', '10']), SHORT_MS);

  it('[compose-runs] says in one line that no node is named, or that the file with secrets is, and starts nothing', async () => {
    const nothing = await compose.run(['up', '-d'], { env: { SOLANA_RPC_URL: '' } });
    expect(nothing.code).not.toBe(0);
    expect(nothing.stderr).toMatch(/set SOLANA_RPC_URL to one or more RPC endpoints/);
    const forgotten = await compose.run(['up', '-d'], {
      env: { SOLANA_RPC_URL: 'from-file', SOLANA_RPC_URL_FILE: './secrets/solana_rpc_url' },
    });
    expect(forgotten.code).not.toBe(0);
    expect(forgotten.stderr).toMatch(/SOLANA_RPC_URL_FILE is set, which wants -f docker-compose.secrets.yml/);
    expect(await compose.must(['ps', '-aq'])).toBe('');
  });

  it('[compose-runs] comes up from nothing with any password, logs no error, and moves rows', async () => {
    await compose.must(UP);
    await ready();
    await moreSamples();
    const { banks } = await getJson<{ readonly banks: readonly unknown[] }>(`${url}/v1/banks`);
    expect(banks.length).toBeGreaterThan(10);
    const lines = (await compose.must(['logs', '--no-color', '--no-log-prefix'])).split('\n');
    expect(
      lines.filter((line) => /"level":"?(error|fatal)|^\S+ \S+ UTC \[\d+\] (ERROR|FATAL)|\] (ERROR|FATAL) /.test(line)),
    ).toEqual([]);
  });

  it('[compose-runs] answers GraphQL, and lands eight transactions through MCP and REST', async () => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ banks(first: 3) { nodes { address } } }' }),
    });
    const { data } = (await response.json()) as {
      readonly data: { readonly banks: { readonly nodes: readonly unknown[] } };
    };
    expect(data.banks.nodes).toHaveLength(3);
    const caller = await connectModern(new URL(`${url}/mcp`));
    const steps = await tellStory({
      service: askOverMcp(caller),
      config: { serviceUrl: url, rpcUrl, blockEngineUrl: rpcUrl, keyFile: undefined },
      wallet: null,
      print: () => undefined,
    });
    await caller.close();
    expect(new Set(steps.map(({ signature }) => signature)).size).toBe(8);
  });

  it('[compose-runs] lets the api change nothing that it only reads', async () => {
    const sql = 'set role lending_api; delete from rate_sample';
    const { code, stderr } = await compose.run([
      'exec',
      '-T',
      'postgres',
      'psql',
      '-qU',
      'lending',
      '-d',
      'lending',
      '-c',
      sql,
    ]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/permission denied for table rate_sample/);
    expect(await compose.query(`select rolname from pg_roles where rolsuper and rolname like 'lending_%'`)).toBe('');
  });

  it('[compose-runs] issues a token and takes it, and replays, both in the images', async () => {
    const job = (service: string, ...words: string[]) =>
      compose.must(['run', '--rm', '--no-deps', '-T', service, ...words]);
    const token = (await job('api', 'services/api/src/jobs/token.ts', 'create', 'engine')).trim();
    const headers = { authorization: `Bearer ${token}` };
    const opened = await fetch(`${url}/v1/conversations`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(opened.status).toBe(201);
    await job('indexer', 'services/indexer/src/jobs/replay.ts');
    await moreSamples();
  });

  it.each(['postgres', 'kafka', ...SERVICES])('[compose-runs] goes on after %s was killed', async (service) => {
    await killProgram(service);
    await eventually(async () => expect(await samples()).toBeGreaterThan(0), SHORT_MS, 1_000);
    await moreSamples();
    await ready();
  });

  it('[compose-runs] keeps its rows when it is stopped and started, taken down and brought up', async () => {
    const before = await samples();
    await compose.must(['stop']);
    await compose.must(UP);
    await ready();
    await compose.must(['down']);
    await compose.must(UP);
    await ready();
    expect(await samples()).toBeGreaterThanOrEqual(before);
  });

  it('[compose-runs] takes passwords and the addresses of the node from files, and shows none of them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
    const secrets = {
      ...{ solana_rpc_url: 'http://chain:8900', solana_ws_url: 'ws://chain:8900', solana_grpc_url: '' },
      ...{ postgres_password: PASSWORD, writer_password: `file w${PASSWORD}`, api_password: `file a${PASSWORD}` },
      ...{ grafana_password: 'grafana', solana_grpc_token: '', jupiter_api_key: '', dflow_api_key: '' },
      otel_exporter_otlp_headers: '',
    };
    for (const [name, text] of Object.entries(secrets)) writeFileSync(join(folder, name), `${text}\n`, { mode: 0o444 });
    chmodSync(folder, 0o700);
    const [base, ...others] = FILES;
    const files = [base as string, 'docker-compose.secrets.yml', ...others];
    const env = {
      SOLANA_RPC_URL: 'from-file',
      SOLANA_RPC_URL_FILE: join(folder, 'solana_rpc_url'),
      SECRETS_FOLDER: folder,
    };
    await compose.must(['down']);
    await compose.must(UP, { env, files });
    await ready();
    await moreSamples();
    for (const service of [...SERVICES, 'postgres', 'migrate', 'roles', 'create-topics']) {
      const shown = execFileSync('docker', ['inspect', '-f', '{{json .Config.Env}}', await id(service)], {
        encoding: 'utf8',
      });
      if (service === 'api') expect(shown).toMatch(/SOLANA_RPC_URL_FILE=/);
      expect(shown).not.toMatch(/p\/#\?%|chain:8900/);
    }
    expect(await compose.must(['logs', '--no-color'])).not.toMatch(/p\/#\?%/);
    await compose.must(['down']);
    await compose.must(UP);
    await ready();
    rmSync(folder, { recursive: true });
  });

  it('[compose-runs] says what to do where the password of a running database is another, and ends', async () => {
    await compose.must(['rm', '-sf', 'migrate', 'roles', ...SERVICES]);
    const { code } = await compose.run(UP, { env: { POSTGRES_PASSWORD: 'another' } });
    expect(code).not.toBe(0);
    expect(await compose.must(['logs', '--no-log-prefix', 'migrate'])).toMatch(
      /^STORE__UNAVAILABLE: Postgres rejects the user or the password .* give that one, or change it there with ALTER ROLE/m,
    );
  });

  it('[compose-runs] restores a backup into an empty volume', async () => {
    await compose.must(UP);
    await ready();
    const backup = await compose.must(['exec', '-T', 'postgres', 'pg_dump', '-xOU', 'lending', 'lending']);
    const before = await compose.query('select count(*) from bank');
    await compose.must(['rm', '-sf', 'postgres', 'kafka', 'migrate', 'roles', 'create-topics', ...SERVICES]);
    execFileSync('docker', ['volume', 'rm', `${project}_postgres`, `${project}_kafka`]);
    await compose.must(['up', '-d', '--wait', 'postgres']);
    await compose.must(['exec', '-T', 'postgres', 'psql', '-qU', 'lending', '-d', 'lending'], { input: backup });
    await compose.must(UP);
    await ready();
    expect(Number(await compose.query('select count(*) from bank'))).toBeGreaterThanOrEqual(Number(before));
    await moreSamples();
  });

  it('[compose-runs] ends where the first start of Postgres was cut short', async () => {
    await compose.must(['down']);
    await compose.must(['up', '-d', '--wait', 'postgres']);
    // As its first start leaves it that is killed before it makes the database.
    await compose.must([
      'exec',
      '-T',
      'postgres',
      'dropdb',
      '-fU',
      'lending',
      '--maintenance-db',
      'postgres',
      'lending',
    ]);
    await compose.must(['down']);
    const { code, stderr } = await compose.run(UP);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/postgres.* is unhealthy/);
  });
});
