import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printGraphqlSchema } from '@lending/api';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import { KLEND_PROGRAM, MARGINFI_PROGRAM } from '@lending/programs';
import { accountDumps } from '@lending/programs/testing/account-dumps.ts';
import { ROOT } from '@lending/testing';
import { decodeBank, decodeMarginfiAccount } from '@lending/venues';
import { openDumps } from '@lending/venues/testing/account-dumps.ts';
import { getBase64Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGarblingNode } from '../src/smoke/garbling-node.ts';
import {
  doublesOf,
  runSmoke,
  type SmokeCheck,
  type SmokeReport,
  type SmokeRun,
  stopSmoke,
} from '../src/smoke/run-smoke.ts';
import { untilActedOn } from '../src/smoke/until-acted-on.ts';

const RUN_MS = 400_000;
/** The local chain is not rate limited. */
const FAST = ['--calls', '500'];
/** An address at which there is nothing. */
const NOTHING_THERE = '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB'.replace('2s', '3s');
const described = JSON.parse(readFileSync(join(ROOT, 'services/api/openapi.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
};
const OPERATIONS = Object.values(described.paths).flatMap((methods) =>
  Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
);
/** Until somebody among the last to act has borrowed, on a machine of any speed. */
const TRANSACTIONS_BEFORE = 100;
const BUILDERS = ['create_account', 'deposit', 'withdraw', 'borrow', 'repay', 'loop', 'close_position'];

let localnet: OpenedLocalnet;

beforeAll(async () => {
  localnet = await openLocalnet({ genesis: { kind: 'demo' }, transactionsPerSecond: 50 });
  await localnet.start();
  await untilActedOn(localnet.rpcUrl, TRANSACTIONS_BEFORE);
  localnet.rest();
}, RUN_MS);
afterAll(() => localnet?.stop());

// Beside each other: what is sound waits for a chain that moves on, what is not for a service that never becomes ready.
describe.concurrent('npm run smoke on a chain that is well', { timeout: RUN_MS }, () => {
  let run: SmokeRun;
  let recorded: string;
  const checkOf = (name: RegExp): SmokeCheck => {
    const found = run.report?.checks.find((check) => name.test(check.name));
    if (found === undefined) throw new Error(`no check is called ${name}`);
    return found;
  };

  beforeAll(async () => {
    recorded = await mkdtemp(join(tmpdir(), 'smoke-record-'));
    run = await runSmoke(['--rpc', localnet.rpcUrl, ...FAST, '--record', recorded], doublesOf(localnet));
  }, RUN_MS);
  afterAll(() => rm(recorded, { recursive: true, force: true }));

  it('[smoke-well] finds nothing wrong, and says what it is about', () => {
    expect(run.report?.checks.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
    expect([run.code, run.report?.outcome]).toEqual([0, 'ok']);
    expect(run.report?.cluster.genesis_hash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
    expect(run.report?.versions.service).toMatch(/^\d+\.\d+\.\d+$/);
    expect(run.markdown).toMatch(/^# Trusted\n/);
    expect(run.markdown).toContain('Nothing was sent.');
    expect(run.markdown).toContain(run.report?.cluster.genesis_hash);
  });

  it('[smoke-verdict] says that the service may be trusted there, by every health and bank beside the program’s own', () => {
    const { contact, verdict, exceptions, relaxed, cluster } = run.report as SmokeReport;
    expect([verdict, exceptions]).toEqual(['trusted', []]);
    expect(contact.program.version).toBe('0.1.12');
    expect(contact.healths.length).toBeGreaterThan(50);
    expect(contact.healths.filter(({ outcome }) => outcome !== 'same' && outcome !== 'refused')).toEqual([]);
    expect(contact.banks.filter(({ outcome }) => outcome === 'differs')).toEqual([]);
    expect(contact.banks.filter(({ outcome }) => outcome === 'same').length).toBeGreaterThan(25);
    const genesis = cluster.genesis_hash;
    expect(run.result).toMatchObject({ format: 1, version: '0.1.12', verdict, exceptions, relaxed, genesis });
  });

  it('[smoke-record] records what it saw for the tests that read the fixtures, with no URL', async () => {
    const dumps = openDumps(recorded).dumps('first-contact');
    const banks = dumps
      .filter(({ expected }) => expected.kind === 'mfi:Bank')
      .map(({ account }) => decodeBank(account, MARGINFI_PROGRAM));
    const accounts = dumps
      .filter(({ expected }) => expected.kind === 'mfi:MarginfiAccount')
      .map(({ account }) => decodeMarginfiAccount(account, MARGINFI_PROGRAM));
    expect(banks).toHaveLength((run.report as SmokeReport).contact.banks.length);
    expect(accounts).toHaveLength((run.report as SmokeReport).contact.healths.length);
    expect(accountDumps(recorded)).toHaveLength(dumps.length);
    const names = (await readdir(join(recorded, 'transactions'))).filter((name) => /^[^.]+\.json$/.test(name));
    expect(names.length).toBeGreaterThan(50);
    for (const name of names) {
      const json = async (file: string) => JSON.parse(await readFile(join(recorded, 'transactions', file), 'utf8'));
      const [{ raw, meta }, expected] = [await json(name), await json(name.replace('.json', '.expected.json'))];
      const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(raw[0]));
      const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
      expect([message.staticAccounts[0], message.staticAccounts.length]).toEqual([
        expected.feePayer,
        expected.accountKeyCount,
      ]);
      expect(meta.logMessages.length).toBeGreaterThan(0);
    }
    const answers = await readFile(join(recorded, 'first-contact.json'), 'utf8');
    expect(answers).not.toContain(new URL(localnet.rpcUrl).host);
  });

  it('[smoke-whole] asks every operation of /v1, every tool, and every field of GraphQL', () => {
    const { operations = {}, tools } = run.report ?? {};
    expect(OPERATIONS.filter((id) => id !== 'svc_stream' && !(Number(operations[id]?.answers) > 0))).toEqual([]);
    expect(checkOf(/stream/).outcome).toBe('ok');
    expect(tools).toHaveLength(15);
    const fields = ['Query', 'Subscription'].flatMap((type) => {
      const [, body = ''] = new RegExp(`^type ${type} \\{([\\s\\S]*?)^\\}`, 'm').exec(printGraphqlSchema()) ?? [];
      return [...body.matchAll(/^ {2}([a-z]\w*)[(:]/gm)];
    });
    expect(checkOf(/GraphQL/).figures).toEqual({ asked: fields.length });
  });

  it.each(BUILDERS)(
    '[smoke-builders] %s builds for somebody it found by itself, and says for whom it did not',
    (name) => {
      const { attempts, cases } = checkOf(new RegExp(`^svc_${name} `)).figures as {
        attempts: readonly { authority: string; outcome: string; reason: string | null }[];
        cases: Readonly<Record<string, string>>;
      };
      expect(Object.values(cases)).toContain('built');
      for (const { outcome, reason } of attempts) expect(reason === null).toBe(outcome === 'built');
    },
  );

  it('[smoke-sends-nothing] sends nothing: the node was asked to simulate, and not to send', () => {
    const { figures } = checkOf(/nothing was sent/);
    expect(Object.keys(figures)).toContain('simulateTransaction');
    expect(Object.keys(figures).filter((method) => /^send/.test(method))).toEqual([]);
  });
});

describe.concurrent('npm run smoke that is stopped', { timeout: RUN_MS }, () => {
  it('[smoke-stop] leaves nothing behind but what it found, and goes on from that', async () => {
    const out = await mkdtemp(join(tmpdir(), 'smoke-stopped-'));
    const args = ['--rpc', localnet.rpcUrl, ...FAST];
    const first = await stopSmoke(args, /^answer .*order’s execution/, out);
    expect([first.code, first.lines.at(-1), first.left]).toEqual([1, 'stopped by SIGINT', []]);
    const second = await stopSmoke(args, /^ok +the service becomes ready/, out);
    expect(second.lines.find((line) => line.startsWith('Going on'))).toMatch(/: [4-9] answers/);
    expect([second.code, second.lines.at(-1), second.left]).toEqual([1, 'stopped by SIGINT', []]);
    const fresh = await stopSmoke([...args, '--fresh'], /^answer /, out);
    expect(fresh.lines.filter((line) => line.startsWith('Going on'))).toEqual([]);
    await rm(out, { recursive: true });
  });
});

describe.concurrent('npm run smoke where something is wrong', { timeout: RUN_MS }, () => {
  it('[smoke-lies] fails, and names the venue, where the node tells nonsense of its accounts', async () => {
    await using lying = await startGarblingNode(localnet.rpcUrl, KLEND_PROGRAM);
    const args = ['--rpc', lying.url, '--ws', localnet.wsUrl, '--patience', '20', ...FAST];
    const { code, report, lines } = await runSmoke(args, doublesOf(localnet));
    expect([code, report?.outcome], lines.join('\n')).toEqual([1, 'failed']);
    const banks = report?.checks.find(({ name }) => name.startsWith('banks of every venue'));
    expect(banks?.outcome).toBe('failed');
    expect(banks?.reasons.join(' ')).toContain('Kamino');
  });

  it.each([
    [
      'a node that is not there',
      ['--rpc', 'http://127.0.0.1:1/secret-key'],
      1,
      /^127\.0\.0\.1:1 does not answer getGenesisHash: /,
    ],
    ['no node at all', [], 2, /^--rpc is missing/],
    ['an address that is none', ['--rpc', 'node'], 2, /^--rpc is no URL/],
  ])('[smoke-refused] says in one line that it was given %s', async (_what, args, code, line) => {
    const run = await runSmoke(args);
    expect([run.code, run.lines, run.report]).toEqual([code, [expect.stringMatching(line)], null]);
    expect(run.lines.join()).not.toContain('secret-key');
  });

  it.each([
    ['a program that is not on this chain', [], { P0_PROGRAM: NOTHING_THERE }, /^There is no program at /],
    [
      'a folder that cannot be written',
      ['--record', '/dev/full/x'],
      {},
      /^--record \/dev\/full\/x cannot be written: ENOTDIR$/,
    ],
  ])('[smoke-refused] says in one line that it was given %s', async (_what, args, env, line) => {
    const { code, lines, report } = await runSmoke(['--rpc', localnet.rpcUrl, ...FAST, ...args], env);
    expect([code, lines.at(-1), report]).toEqual([1, expect.stringMatching(line), null]);
  });

  it('[smoke-refused] says in one line that no service answers at --api, and why', async () => {
    await using gone = await startGarblingNode(localnet.rpcUrl, KLEND_PROGRAM);
    const { url } = gone;
    await gone[Symbol.asyncDispose]();
    const { code, lines } = await runSmoke(['--rpc', localnet.rpcUrl, '--api', url, ...FAST]);
    expect([code, lines.slice(-1)]).toEqual([1, [expect.stringMatching(/ does not answer: .*ECONNREFUSED/)]]);
  });
});
