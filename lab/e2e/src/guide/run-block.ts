import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WIRE_CODES } from '@lending/errors';
import { ROOT } from '@lending/testing';
import type { GuideBlock } from './guide-blocks.ts';
import type { GuideWorld } from './guide-world.ts';

/** Runs an example as its reader would. Resolves to what came back. */
type Run = (text: string, world: GuideWorld, rest: string) => Promise<string>;

/** By the language behind the fence. A block without one is a picture. */
const RUNS: Readonly<Record<string, Run>> = {
  json: runJson,
  graphql: runGraphql,
  sql: runSql,
  sh: runShell,
  js: runScript,
};

/**
 * @throws Error with what came back, when the example does not do what an example does.
 */
export async function runBlock({ info, text }: GuideBlock, world: GuideWorld): Promise<string> {
  const [language = '', ...rest] = info.split(' ');
  const run = RUNS[language];
  if (run === undefined) throw new Error(`Nobody knows how to run "${info}"`);
  return run(filled(text, world), world, rest.join(' '));
}

/** The addresses that stand for the reader's own, and where the service is. */
function filled(text: string, { url, rpcUrl, values }: GuideWorld): string {
  return text
    .replaceAll('BPFLoaderUpgradeab1e11111111111111111111111', values.WALLET ?? '')
    .replaceAll('Config1111111111111111111111111111111111111', values.ACCOUNT ?? '')
    .replaceAll(/http:\/\/(localhost|127\.0\.0\.1):8080|localhost:8080/g, url)
    .replaceAll(/http:\/\/(localhost|127\.0\.0\.1):8899/g, rpcUrl);
}

/**
 * `json POST /path`: a body, and behind it the code that refuses it, if one does. `json svc_tool`: arguments. `json error`: an error's
 * body. Else JSON that nobody is sent.
 */
async function runJson(text: string, world: GuideWorld, what: string): Promise<string> {
  const value = JSON.parse(text) as Record<string, unknown>;
  if (what === 'error') return expectKnown(value);
  if (what === '') return text;
  const [verb = '', path = '', code] = what.split(' ');
  if (verb.startsWith('svc_')) return callTool(world, verb, value);
  const body = text.includes('{plan_id}') ? text.replace('{plan_id}', await makePlan(world)) : text;
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${world.url}${path}`, { method: verb, headers, body });
  return code === undefined ? expectAnswer(response) : expectRefusal(response, code);
}

async function expectRefusal(response: Response, code: string): Promise<string> {
  const text = await response.text();
  if ((JSON.parse(text) as { readonly code?: string }).code !== code) throw new Error(`${response.status} ${text}`);
  return text;
}

function expectKnown({ code, error, details, retryable, docs }: Record<string, unknown>): string {
  const isWhole = typeof error === 'string' && typeof details === 'object' && typeof retryable === 'boolean';
  if (!isWhole || !Object.hasOwn(WIRE_CODES, String(code)) || !String(docs).endsWith(`/v1/docs/${code}`)) {
    throw new Error(`No such error is ever answered: ${String(code)}`);
  }
  return String(code);
}

async function callTool({ mcp }: GuideWorld, name: string, given: Record<string, unknown>): Promise<string> {
  const result = await mcp.callTool({ name, arguments: given });
  const text = JSON.stringify(result.structuredContent);
  if (result.isError === true) throw new Error(text);
  return text;
}

/** The name of an envelope that was built just now. */
async function makePlan({ url, values }: GuideWorld): Promise<string> {
  const response = await fetch(`${url}/v1/tx/deposit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ authority: values.WALLET, bank: values.SOL_BANK, amount: 1 }),
  });
  return (JSON.parse(await expectAnswer(response)) as { readonly plan_id: string }).plan_id;
}

async function expectAnswer(response: Response): Promise<string> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return text;
}

async function runGraphql(query: string, { url, values }: GuideWorld): Promise<string> {
  const known: Readonly<Record<string, unknown>> = {
    bank: values.USDC_BANK,
    venue: 'P0',
    account: values.ACCOUNT,
    accounts: [values.ACCOUNT],
    since: '2026-01-01T00:00:00Z',
  };
  const isSubscription = query.startsWith('subscription');
  const leave = new AbortController();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: isSubscription ? 'text/event-stream' : 'application/graphql-response+json',
    },
    body: JSON.stringify({ query, variables: known }),
    signal: leave.signal,
  });
  if (isSubscription) {
    const type = response.headers.get('content-type') ?? '';
    leave.abort();
    if (!type.startsWith('text/event-stream')) throw new Error(`a subscription answered with ${type}`);
    return type;
  }
  const text = await expectAnswer(response);
  if ('errors' in (JSON.parse(text) as object)) throw new Error(text);
  return text;
}

/** Nothing stays: an example may write. */
async function runSql(text: string, { db }: GuideWorld): Promise<string> {
  await db.query('begin');
  try {
    return JSON.stringify((await db.query(text)) as unknown);
  } finally {
    await db.query('rollback');
  }
}

/** A call that is refused fails the example; a stream is left when its first line came. */
const CURL = 'curl() { command curl --silent --show-error --fail-with-body --max-time 30 "$@"; }';

async function runShell(text: string, world: GuideWorld): Promise<string> {
  if (!/^curl -N/m.test(text)) return runProcess('bash', ['-eu', '-o', 'pipefail', '-c', `${CURL}\n${text}`], world);
  const said: string[] = [];
  for (const call of text.replaceAll('\\\n', ' ').trim().split('\n')) {
    const command = call.replace(/^curl -N/, 'exec curl -N --silent --show-error --fail-with-body --include');
    said.push(await runProcess('bash', ['-eu', '-c', command], world, /content-type: text\/event-stream/i));
  }
  return said.join('\n');
}

/** A script of a page, in a file of its own among the project's packages. What the browser has is there too. */
async function runScript(text: string, world: GuideWorld): Promise<string> {
  const folder = join(ROOT, '.cache', `guide-${process.pid}-${crypto.randomUUID()}`);
  await mkdir(folder, { recursive: true });
  try {
    const file = join(folder, 'example.mjs');
    await writeFile(file, `${PRELUDE}\n${text}`);
    const isLive = text.includes('new EventSource');
    return await runProcess(process.execPath, ['--experimental-eventsource', file], world, isLive ? /\S/ : undefined);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const PRELUDE = `
Object.assign(globalThis, {
  SERVICE_URL: process.env.SERVICE_URL,
  account: process.env.ACCOUNT,
  wallet: process.env.WALLET,
  show: console.log,
});
if (globalThis.EventSource) {
  const Real = globalThis.EventSource;
  globalThis.EventSource = class extends Real { constructor(path) { super(new URL(path, SERVICE_URL)); } };
}`;

/** Ends well with the code 0, or as soon as what was waited for is printed. */
async function runProcess(
  command: string,
  args: readonly string[],
  { url, rpcUrl, values }: GuideWorld,
  enough?: RegExp,
): Promise<string> {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...values, SERVICE_URL: url, RPC_URL: rpcUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 180_000,
  });
  let said = '';
  let isEnough = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (enough === undefined || !enough.test(said)) return;
      isEnough = true;
      child.kill();
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0 && !isEnough) throw new Error(`ended with ${code}: ${said}`);
  if (/"isError":true|"error":\{"code":-/.test(said)) throw new Error(said);
  return said;
}
