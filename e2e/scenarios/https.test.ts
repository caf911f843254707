import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createDataDir, hear, type RunningProcess, spawnProcess, startEmbedded } from '@lending/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueToken } from '../src/clients/issue-token.ts';
import { LANGUAGES, missingFor } from '../src/clients/languages.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';
import { type CertificateFolder, makeCertificateFolder } from '../src/https/certificate-folder.ts';
import { startTlsProxy } from '../src/https/tls-proxy.ts';
import { listOneBank } from '../src/https/trusting-clients.ts';
import { connectLegacy, connectModern } from '../src/mcp-story/mcp-callers.ts';

interface BanksReply {
  readonly banks: readonly { readonly address: string }[];
  readonly count: number;
}

const HSTS = 'strict-transport-security';
const UP_MS = 180_000;
/** The files are looked at every ten seconds. */
const RENEWED_MS = 180_000;
const trusted = getCACertificates('default');

let certificates: CertificateFolder;
beforeAll(async () => {
  certificates = await makeCertificateFolder();
  // All that asks in this process believes it: fetch, and the MCP clients by it.
  setDefaultCACertificates([...trusted, certificates.authority]);
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await certificates?.remove();
});

/** Until it has a bank to answer with. */
const served = (app: RunningProcess) =>
  eventually(async () => {
    const { count } = await getJson<BanksReply>(`${app.baseUrl}/v1/banks?limit=1`);
    if (count === 0) throw new Error('no bank yet');
  }, UP_MS);

describe('npm start with a certificate', () => {
  let dataDir: string;
  let app: RunningProcess;
  let conversationsUrl: string;

  beforeAll(async () => {
    dataDir = await createDataDir('https');
    app = await startEmbedded({ dataDir, env: { ...certificates.settings, CONVERSATIONS_PORT: '0' } });
    [, conversationsUrl = ''] = await app.waitForLine(/"url":"([^"]+)".*api\.conversations\.listen/);
    await served(app);
  });

  afterAll(async () => {
    await app?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('[https-doors] says so in its banner and its log', () => {
    expect(app.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(conversationsUrl).toMatch(/^https:/);
    const shown = app.lines.filter((line) => /^ +(REST|MCP|docs|status|curl) /.test(line));
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.filter((line) => !line.includes(app.baseUrl))).toEqual([]);
  });

  it('[https-doors] answers at /v1, with a description that leads back to itself', async () => {
    const { servers } = await getJson<{ readonly servers: readonly { readonly url: string }[] }>(
      `${app.baseUrl}/v1/openapi.json`,
    );
    expect(servers.map(({ url }) => new URL(url, app.baseUrl).origin)).toEqual([app.baseUrl]);
  });

  it('[https-doors] answers at /mcp, to clients of both generations', async () => {
    const { banks } = await getJson<BanksReply>(`${app.baseUrl}/v1/banks?limit=3&sort=symbol`);
    for (const connectTo of [connectLegacy, connectModern]) {
      const caller = await connectTo(new URL(`${app.baseUrl}/mcp`));
      const answer = await caller.callTool('svc_get_banks', { limit: 3, sort: 'symbol' });
      expect((answer.structuredContent as BanksReply).banks.map(({ address }) => address)).toEqual(
        banks.map(({ address }) => address),
      );
      await caller.close();
    }
  });

  it('[https-doors] answers at /graphql', async () => {
    const response = await fetch(`${app.baseUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ banks(first: 1) { edges { node { address } } } }' }),
    });
    expect(await response.json()).toMatchObject({ data: { banks: { edges: [{ node: {} }] } } });
  });

  it('[https-doors] tells what happens at /v1/stream', async () => {
    const heard = await hear(`${app.baseUrl}/v1/stream?rates=all&banks=all`);
    expect(heard.response.status).toBe(200);
    expect(await heard.take(1, 180_000)).toHaveLength(1);
    heard.leave();
  });

  it('[https-doors] answers at the port of conversations alone', async () => {
    const headers = { authorization: `Bearer ${await issueToken(dataDir, 'somebody')}` };
    const response = await fetch(`${conversationsUrl}/v1/conversations`, { headers });
    expect([response.status, await response.json()]).toMatchObject([200, { has_more: false }]);
  });

  it('[https-origins] lets pages of allowed hosts ask /mcp, and no others', async () => {
    const ask = async (origin: string) => {
      const response = await fetch(`${app.baseUrl}/mcp`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      await response.body?.cancel();
      return response.status;
    };
    expect(await ask(app.baseUrl)).toBe(200);
    expect(await ask('https://localhost:3000')).toBe(200);
    expect(await ask('https://stranger.example')).toBe(403);
  });

  it('[https-plain] closes who speaks plain HTTP to it, answers others, and logs nothing of it', async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const socket = connectPlain(Number(new URL(app.baseUrl).port), '127.0.0.1');
      socket.write('GET /v1/banks HTTP/1.1\r\nhost: localhost\r\n\r\n');
      expect(await text(socket).catch(() => '')).not.toContain('HTTP/');
    }
    await expect(fetch(app.baseUrl.replace('https:', 'http:'))).rejects.toThrow();
    // Who believes nobody.
    const refused = request(`${app.baseUrl}/healthz`, { ca: [] }).end();
    expect(await once(refused, 'error')).toMatchObject([{ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }]);
    expect((await fetch(`${app.baseUrl}/healthz`)).status).toBe(200);
    expect(app.lines.filter((line) => /"level":[56]0|ERR_SSL|tlsClientError/.test(line))).toEqual([]);
  });

  it('[https-hsts] tells whoever comes by a name of its own to come by TLS', async () => {
    const headersAt = async (host: string) => {
      const asked = request(`${app.baseUrl}/v1/banks?limit=1`, { headers: { host }, servername: 'localhost' }).end();
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
        expect(await listOneBank(language.name, app.baseUrl, authorityFile)).toMatchObject({
          count: expect.any(Number),
        });
        await expect(listOneBank(language.name, app.baseUrl, '/dev/null')).rejects.toThrow();
      },
    );
  }

  it('[https-renewed] shows what was renewed to who connects then, and a broken renewal to nobody', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: certificates.authority });
    const ask = async () => {
      const [answer] = await once(request(`${app.baseUrl}/healthz`, { agent }).end(), 'response');
      answer.resume();
      await once(answer, 'end');
      return answer.statusCode;
    };
    const serials = () => Promise.all([app.baseUrl, conversationsUrl].map(serialAt));
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
    await app.waitForLine(/TLS_CERT is .*it holds none.*api\.certificate\.refuse/, RENEWED_MS);
    expect(await serials()).toEqual(after);
    await certificates.renew();
  });
});

describe('npm start behind a proxy with TLS', () => {
  let dataDir: string;
  let app: RunningProcess;

  beforeAll(async () => {
    dataDir = await createDataDir('https');
    app = await startEmbedded({ dataDir, env: { TRUSTED_PROXIES: '127.0.0.1', API_ALLOWED_HOSTS: 'lending.example' } });
    await served(app);
  });

  afterAll(async () => {
    await app?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('[https-hsts] tells to come by TLS who came by the proxy’s, and nobody else', async () => {
    await using proxy = await startTlsProxy(app.baseUrl, certificates);
    const through = await fetch(`${proxy.url}/v1/banks?limit=1`);
    expect([through.status, through.headers.get(HSTS)]).toEqual([200, 'max-age=31536000']);
    const past = await fetch(`${app.baseUrl}/v1/banks?limit=1`);
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
    await other.remove();
  });
});

async function serialAt(url: string): Promise<string> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}
