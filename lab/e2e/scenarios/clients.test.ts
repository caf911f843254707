import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requestSol } from '@lending/examples';
import { takePermits } from '@lending/store';
import { useDatabase } from '@lending/store/testing';
import { ROOT } from '@lending/testing';
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { chainUrlOf } from '../src/chain-url.ts';
import {
  type Cases,
  LANGUAGES,
  type Language,
  LIMIT_CASES,
  missingFor,
  runCases,
  SCRIPTED_CASES,
  SERVICE_CASES,
} from '../src/clients/cases.ts';
import { issueToken } from '../src/clients/issue-token.ts';
import { startScriptedService } from '../src/clients/scripted-service.ts';
import { useDemo } from '../src/cluster/demo.ts';
import type { ApiHere } from '../src/cluster/in-process.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';
import { startLimitedApi } from '../src/limits/ask-from.ts';
import type { BanksReply } from '../src/replies.ts';

const SIGNER = `${process.execPath} ${join(ROOT, 'lab/e2e/src/clients/signer.ts')}`;
const WALLET_SOL = 20;
/** Loops and closes of one client in a minute. */
const LEVERAGE_LIMIT = 4;
/** Time for each client to be refused; one that comes later waits for a minute. */
const REST_OF_MINUTE_MS = 10_000;

/** A language that is missing is named with what brings it; in CI its cases run, and fail. */
const found = LANGUAGES.map((language) => {
  const missing = process.env.CI === 'true' ? null : missingFor(language);
  return { language, isSkipped: missing !== null, name: `${language.name}${missing === null ? '' : ` (${missing})`}` };
});

/** Beside each other: they wait most of the time. */
describe.concurrent('the clients', () => {
  for (const { language, isSkipped, name } of found) {
    it.skipIf(isSkipped)(`[clients-scripted] ${name} does all that a client has to`, async () => {
      await using service = await startScriptedService();
      expectCases(await runCases(language, { SCRIPTED_URL: service.url }), SCRIPTED_CASES);
    });
  }

  const database = useDatabase();
  const opened = useOpened();
  let api: ApiHere;

  beforeAll(async () => {
    api = opened.keep(await startLimitedApi(database.connectionString));
    // All that a minute allows, asked of another instance the better part of a minute ago.
    const asked = { scope: 'leverage', limit: LEVERAGE_LIMIT, need: LEVERAGE_LIMIT, want: LEVERAGE_LIMIT };
    await takePermits(database.db, '127.0.0.1', [{ ...asked, countsMs: REST_OF_MINUTE_MS }]);
  });

  it('[clients-limits] at the limits of the specification are told for how long they have to wait, and wait', async () => {
    // At once: they come from one address, and share what it is granted.
    const present = found.filter(({ isSkipped }) => !isSkipped);
    const runs = await Promise.all(present.map(({ language }) => runCases(language, { LIMITED_URL: api.url })));
    for (const cases of runs) expectCases(cases, LIMIT_CASES);
  });
});

describe('the clients and the service', () => {
  // The clients look into histories, too.
  const demo = useDemo('clients', {}, ({ url }) =>
    eventually(async () => {
      const { banks } = await getJson<BanksReply>(`${url}/v1/banks?venue=P0&limit=1`);
      const { points } = await getJson<{ readonly points: readonly unknown[] }>(
        `${url}/v1/banks/${banks[0]?.address}/history?interval=1m`,
      );
      expect(points.length).toBeGreaterThan(0);
      const { count } = await getJson<{ readonly count: number }>(`${url}/v1/strategies?limit=2`);
      expect(count).toBe(2);
    }),
  );

  for (const { language, isSkipped, name } of found) {
    const title = `[clients-service] ${name} reads, builds what a signer of its own lands, and keeps conversations`;
    it.skipIf(isSkipped)(title, { concurrent: true, timeout: 240_000 }, async () => {
      const rpcUrl = await chainUrlOf(demo.app);
      const { keyFile, wallet } = await fundedWallet(rpcUrl, language.name);
      const token = await issueToken(demo.dataDir, language.name);
      const env = { WALLET: wallet, SIGNER, KEY_FILE: keyFile, RPC_URL: rpcUrl, ...serviceOf(language, token) };
      expectCases(await runCases(language, env), SERVICE_CASES);
    });
  }

  /** The client of the shell reads LENDING_URL and LENDING_TOKEN itself: its program is told otherwise. */
  function serviceOf(language: Language, token: string): Readonly<Record<string, string>> {
    return language.name === 'cURL'
      ? { LENDING_SERVICE: demo.url, TOKEN: token }
      : { LENDING_URL: demo.url, LENDING_TOKEN: token };
  }

  async function fundedWallet(rpcUrl: string, name: string) {
    const seed = randomBytes(32);
    const { address } = await createKeyPairSignerFromPrivateKeyBytes(seed);
    const keyFile = join(demo.dataDir, `${name}.json`);
    await writeFile(keyFile, JSON.stringify([...seed]), { mode: 0o600 });
    await requestSol(rpcUrl, address, WALLET_SOL);
    await eventually(async () => {
      const { tokens } = await getJson<{ readonly tokens: readonly unknown[] }>(`${demo.url}/v1/wallet/${address}`);
      expect(tokens).toHaveLength(1);
    });
    return { keyFile, wallet: address };
  }
});

/** The output is what a reader of a failure needs, so it is compared with. */
function expectCases({ passed, output, code }: Cases, expected: readonly string[]): void {
  const missing = expected.filter((name) => !passed.includes(name));
  expect(missing, output).toEqual([]);
  expect(passed, output).toEqual(expected.toSorted());
  expect(code, output).toBe(0);
}
