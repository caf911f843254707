import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createDataDir, hear, spawnProcess } from '@lending/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES, missingFor } from '../src/clients/cases.ts';
import { issueToken } from '../src/clients/issue-token.ts';
import { type Demo, useDemo } from '../src/cluster/demo.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { getJson, postJson } from '../src/http.ts';
import { type CertificateFolder, makeCertificateFolder, startTlsProxy } from '../src/https/certificate-folder.ts';
import { listOneBank } from '../src/https/trusting-clients.ts';
import { connectLegacy, connectModern } from '../src/mcp-story/mcp-callers.ts';
import type { BanksReply } from '../src/replies.ts';

const HSTS = 'strict-transport-security';
const UP_MS = 180_000;
/** The files are looked at every ten seconds. */
const RENEWED_MS = 180_000;
const trusted = getCACertificates('default');

const opened = useOpened();
let certificates: CertificateFolder;
beforeAll(async () => {
  certificates = opened.keep(await makeCertificateFolder());
  // All that asks in this process believes it: fetch, and the MCP clients by it.
  setDefaultCACertificates([...trusted, certificates.authority]);
});
afterAll(() => setDefaultCACertificates(trusted));

/** Until it has a bank to answer with. */
const served = ({ url }: Demo) =>
  eventually(async () => {
    const { count } = await getJson<BanksReply>(`${url}/v1/banks?limit=1`);
    if (count === 0) throw new Error('no bank yet');
  }, UP_MS);

describe('npm start with a certificate', () => {
  let conversationsUrl: string;
  const settings = () => ({ ...certificates.settings, CONVERSATIONS_PORT: '0' });
  const demo = useDemo('https', settings, async (started) => {
    [, conversationsUrl = ''] = await started.app.waitForLine(/"url":"([^"]+)".*api\.conversations\.listen/);
    await served(started);
  });

  it('[https-doors] says so in its banner and its log', () => {
    expect(demo.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(conversationsUrl).toMatch(/^https:/);
    const shown = demo.app.lines.filter((line) => /^ +(REST|MCP|docs|status|curl) /.test(line));
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.filter((line) => !line.includes(demo.url))).toEqual([]);
  });

  it('[https-doors] answers at /v1, with a description that leads back to itself', async () => {
    const { servers } = await getJson<{ readonly servers: readonly { readonly url: string }[] }>(
      `${demo.url}/v1/openapi.json`,
    );
    expect(servers.map(({ url }) => new URL(url, demo.url).origin)).toEqual([demo.url]);
  });

  it('[https-doors] answers at /mcp, to clients of both generations', async () => {
    const { banks } = await getJson<BanksReply>(`${demo.url}/v1/banks?limit=3&sort=symbol`);
    for (const connectTo of [connectLegacy, connectModern]) {
      const caller = await connectTo(new URL(`${demo.url}/mcp`));
      const answer = await caller.callTool('svc_get_banks', { limit: 3, sort: 'symbol' });
      expect((answer.structuredContent as BanksReply).banks.map(({ address }) => address)).toEqual(
        banks.map(({ address }) => address),
      );
      await caller.close();
    }
  });

  it('[https-doors] answers at /graphql', async () => {
    const query = '{ banks(first: 1) { edges { node { address } } } }';
    const { body } = await postJson(`${demo.url}/graphql`, { query });
    expect(body).toMatchObject({ data: { banks: { edges: [{ node: {} }] } } });
  });

  it('[https-doors] tells what happens at /v1/stream', async () => {
    const heard = await hear(`${demo.url}/v1/stream?rates=all&banks=all`);
    expect(heard.response.status).toBe(200);
    expect(await heard.take(1, 180_000)).toHaveLength(1);
    heard.leave();
  });

  it('[https-doors] answers at the port of conversations alone', async () => {
    const headers = { authorization: `Bearer ${await issueToken(demo.dataDir, 'somebody')}` };
    const response = await fetch(`${conversationsUrl}/v1/conversations`, { headers });
    expect([response.status, await response.json()]).toMatchObject([200, { has_more: false }]);
  });

  it('[https-origins] lets pages of allowed hosts ask /mcp, and no others', async () => {
    const ask = async (origin: string) => {
      const response = await fetch(`${demo.url}/mcp`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      await response.body?.cancel();
      return response.status;
    };
    expect(await ask(demo.url)).toBe(200);
    expect(await ask('https://localhost:3000')).toBe(200);
    expect(await ask('https://stranger.example')).toBe(403);
  });

  it('[https-plain] closes who speaks plain HTTP to it, answers others, and logs nothing of it', async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const socket = connectPlain(Number(new URL(demo.url).port), '127.0.0.1');
      socket.write('GET /v1/banks HTTP/1.1\r\nhost: localhost\r\n\r\n');
      expect(await text(socket).catch(() => '')).not.toContain('HTTP/');
    }
    await expect(fetch(demo.url.replace('https:', 'http:'))).rejects.toThrow();
    // Who believes nobody.
    const refused = request(`${demo.url}/healthz`, { ca: [] }).end();
    expect(await once(refused, 'error')).toMatchObject([{ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }]);
    expect((await fetch(`${demo.url}/healthz`)).status).toBe(200);
    expect(demo.app.lines.filter((line) => /"level":[56]0|ERR_SSL|tlsClientError/.test(line))).toEqual([]);
  });

  it('[https-hsts] tells whoever comes by a name of its own to come by TLS', async () => {
    const headersAt = async (host: string) => {
      const asked = request(`${demo.url}/v1/banks?limit=1`, { headers: { host }, servername: 'localhost' }).end();
      const [answer] = await once(asked, 'response');
      answer.resume();
      return answer.headers[HSTS];
    };
    expect(await headersAt('lending.example')).toBe('max-age=31536000');
    expect(await headersAt('localhost')).toBeUndefined();
  });

  for (const language of LANGUAGES) {
    const missing = process.env.CI === 'true' ? null : missingFor(language);
    const name = `${language.name}${missing === null ? '' : ` (${missing})`}`;
    it.skipIf(missing !== null)(
      `[https-clients] ${name} asks, and not where it was not told whom to trust`,
      async () => {
        const { authorityFile } = certificates;
        expect(await listOneBank(language.name, demo.url, authorityFile)).toMatchObject({
          count: expect.any(Number),
        });
        await expect(listOneBank(language.name, demo.url, '/dev/null')).rejects.toThrow();
      },
    );
  }

  it('[https-renewed] shows what was renewed to who connects then, and a broken renewal to nobody', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: certificates.authority });
    const ask = async () => {
      const [answer] = await once(request(`${demo.url}/healthz`, { agent }).end(), 'response');
      answer.resume();
      await once(answer, 'end');
      return answer.statusCode;
    };
    const serials = () => Promise.all([demo.url, conversationsUrl].map(serialAt));
    expect(await ask()).toBe(200);
    const before = await serials();
    await certificates.renew({ untilDays: 90 });
    const after = await eventually(async () => {
      const found = await serials();
      if (found.some((serial) => before.includes(serial))) throw new Error('still the one before');
      return found;
    }, RENEWED_MS);
    // Both ports show one certificate, and who was connected stays so.
    expect(new Set(after).size).toBe(1);
    expect(await ask()).toBe(200);
    agent.destroy();

    await writeFile(certificates.settings.TLS_CERT, 'half of a');
    await demo.app.waitForLine(/TLS_CERT is .*it holds none.*api\.certificate\.refuse/, RENEWED_MS);
    expect(await serials()).toEqual(after);
    await certificates.renew();
  });
});

describe('npm start behind a proxy with TLS', () => {
  const demo = useDemo('https', { TRUSTED_PROXIES: '127.0.0.1', API_ALLOWED_HOSTS: 'lending.example' }, served);

  it('[https-hsts] tells to come by TLS who came by the proxy’s, and nobody else', async () => {
    await using proxy = await startTlsProxy(demo.url, certificates);
    const through = await fetch(`${proxy.url}/v1/banks?limit=1`);
    expect([through.status, through.headers.get(HSTS)]).toEqual([200, 'max-age=31536000']);
    const past = await fetch(`${demo.url}/v1/banks?limit=1`);
    expect([past.status, past.headers.get(HSTS)]).toEqual([200, null]);
    const caller = await connectModern(new URL(`${proxy.url}/mcp`));
    expect(caller.inputSchemas.size).toBe(15);
    await caller.close();
  });
});

describe('npm start with a certificate that cannot be used', () => {
  it('[https-refused] ends with one line that names the setting', async () => {
    const other = await makeCertificateFolder();
    const { TLS_CERT, TLS_KEY } = certificates.settings;
    const wrong = [
      [{ TLS_CERT }, /^CONFIG__INVALID: TLS_KEY is not set; allowed: both of TLS_CERT and TLS_KEY, or neither$/],
      [
        { TLS_CERT: '/nowhere/tls.crt', TLS_KEY },
        /^CONFIG__INVALID: TLS_CERT is "\/nowhere\/tls\.crt"; allowed: .*ENOENT/,
      ],
      [{ TLS_CERT, TLS_KEY: other.settings.TLS_KEY }, /^CONFIG__INVALID: TLS_KEY is .*this one is another’s$/],
    ] as const;
    for (const [env, line] of wrong) {
      const dataDir = await createDataDir('https');
      const started = spawnProcess({
        entry: 'embedded/src/main.ts',
        env: { DATA_DIR: dataDir, API_PORT: '0', ...env },
      });
      const [code] = await once(started.child, 'close');
      expect([code, started.lines]).toEqual([1, [expect.stringMatching(line)]]);
      await rm(dataDir, { recursive: true, force: true });
    }
    await other.stop();
  });
});

async function serialAt(url: string): Promise<string> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}
