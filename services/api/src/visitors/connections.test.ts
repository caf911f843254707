import { once } from 'node:events';
import { request } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { createLogger, createMetrics, type Metrics } from '@lending/runtime';
import { makeAuthority } from '@lending/testing';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createBareApp } from '../bare-app.ts';
import { createTestLimiter } from '../testing/test-app.ts';
import { renewCertificate } from '../tls/create-tls-server.ts';
import { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from './limit-connections.ts';

const PATIENCE = { timeout: 120_000, interval: 10 };

let app: FastifyInstance;
let metrics: Metrics;
const lines: string[] = [];
const sockets: Socket[] = [];

const authority = await makeAuthority();
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
  expect(lines.splice(0)).toEqual([]);
});

const certify = async (hosts?: readonly string[]) => ({
  ...(await authority.certify(hosts && { hosts })),
  fromMs: 0,
  untilMs: 0,
});

type Way = 'plain HTTP' | 'TLS';

async function listen(way: Way, changes: Partial<ConnectionLimits> = {}, trustedProxies: readonly string[] = []) {
  metrics = createMetrics();
  const deps = {
    limiter: createTestLimiter(),
    tokens: { useAccessToken: async () => null },
    logger: createLogger({ level: 'warn', name: 'test', destination: { write: (line) => void lines.push(line) } }),
    metrics,
    maxBodyBytes: 1_000,
    connections: { ...DEFAULT_CONNECTION_LIMITS, ...changes },
    trustedProxies,
  };
  app = await createBareApp(way === 'TLS' ? { ...deps, certificate: await certify() } : deps, []);
  app.get('/', async ({ ip, protocol }) => ({ ip, protocol }));
  app.post('/', async () => 'answer');
  app.get('/held', () => new Promise(() => {}));
  await app.listen({ host: '127.0.0.1', port: 0 });
}

const port = () => (app.server.address() as AddressInfo).port;

function watch<S extends Socket>(socket: S) {
  sockets.push(socket);
  const heard = { socket, text: '', isClosed: false };
  socket.on('data', (data) => {
    heard.text += data.toString('latin1');
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    heard.isClosed = true;
  });
  return heard;
}

/** A connection that says nothing yet. */
async function openBare() {
  const heard = watch(connect(port(), '127.0.0.1'));
  await once(heard.socket, 'connect');
  return heard;
}

async function openTls(options: ConnectionOptions = {}) {
  const heard = watch(connectTls({ host: '127.0.0.1', port: port(), ca: authority.cert, ...options }));
  await once(heard.socket as TLSSocket, 'secureConnect');
  return heard;
}

const GET = 'GET / HTTP/1.1\r\nhost: lending.example\r\n\r\n';
const HELD = GET.replace('/', '/held');
const closed = (heard: { isClosed: boolean }) => vi.waitFor(() => expect(heard.isClosed).toBe(true), PATIENCE);
const answered = (heard: { text: string }) => vi.waitFor(() => expect(heard.text).toContain('200 OK'), PATIENCE);

describe.each(['plain HTTP', 'TLS'] as const)('connections over %s', (way) => {
  /** A connection over which requests may be sent. */
  const open = () => (way === 'TLS' ? openTls() : openBare());

  it('are told and closed when the head of a request does not come', async () => {
    await listen(way, { headMs: 100 });
    const heard = await open();
    heard.socket.write('GET / HTTP/1.1\r\nho');
    await closed(heard);
    expect(heard.text).toMatch(/^HTTP\/1\.1 400 .*did not arrive whole in time/s);
  });

  it('are closed when nothing comes at all', async () => {
    await listen(way, { headMs: 100 });
    await closed(await openBare());
  });

  it('are closed when a body comes byte by byte, however regularly', async () => {
    await listen(way, { headMs: 100, requestMs: 300 });
    const heard = await open();
    heard.socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n[');
    const drip = setInterval(() => heard.socket.write(' '), 20);
    await closed(heard);
    clearInterval(drip);
    expect(heard.text).toContain('did not arrive whole in time');
  });

  it('are closed when they are answered nothing and say nothing for too long', async () => {
    await listen(way, { idleMs: 100 });
    const heard = await open();
    heard.socket.write(HELD);
    await closed(heard);
  });

  it('are closed above a client’s share, from their first moment on, until it closes some', async () => {
    await listen(way, { mostPerClient: 2 });
    const [silent, other] = [await openBare(), await open()];
    await closed(await openBare());
    other.socket.write(GET);
    await answered(other);
    silent.socket.destroy();
    await vi.waitFor(async () => {
      const next = await open();
      next.socket.write(GET);
      await vi.waitFor(() => expect(next.text).toContain('200 OK'), { timeout: 2_000 });
    }, PATIENCE);
    expect(await metrics.render()).toMatch(/api_connection_refuse_total\{limit="client"\} [1-9]/);
  });

  it('are counted as no client where they are a proxy’s, and say whose they are by what it says', async () => {
    await listen(way, { mostPerClient: 1 }, ['127.0.0.1']);
    for (const heard of [await open(), await open()]) {
      heard.socket.write(
        GET.replace('\r\n\r\n', '\r\nx-forwarded-for: 203.0.113.7\r\nx-forwarded-proto: http\r\n\r\n'),
      );
      await answered(heard);
      expect(heard.text).toContain('{"ip":"203.0.113.7","protocol":"http"}');
      expect(heard.text).not.toMatch(/strict-transport-security/i);
    }
  });

  it('are closed where there are too many in all', async () => {
    await listen(way, { most: 1 });
    const one = await open();
    await closed(await openBare());
    one.socket.write(GET);
    await answered(one);
    expect(await metrics.render()).toContain('api_connection_refuse_total{limit="all"} 1');
  });

  it('are cut off where too many requests wait behind one that is not answered', async () => {
    await listen(way, { mostWaiting: 4 });
    const heard = await open();
    heard.socket.write(HELD + GET.repeat(2_000));
    await closed(heard);
    // All that waited behind the first was made for nothing: no more than these.
    expect(heard.text).toBe('');
    expect(await metrics.render()).toMatch(/api_connection_refuse_total\{limit="waiting"\}/);
  });

  it('may ask one thing after the other for as long as they like', async () => {
    await listen(way, { mostWaiting: 4 });
    const heard = await open();
    for (let turn = 1; turn <= 20; turn += 1) {
      heard.socket.write(GET);
      await vi.waitFor(() => expect(heard.text.split('200 OK')).toHaveLength(turn + 1), PATIENCE);
    }
    expect(heard.isClosed).toBe(false);
  });
});

describe('a server with a certificate', () => {
  it('answers who believes its authority, and tells him to come by TLS', async () => {
    await listen('TLS');
    const asked = request(`https://localhost:${port()}/`, {
      ca: authority.cert,
      servername: 'localhost',
      headers: { host: 'lending.example' },
    }).end();
    const [answer] = await once(asked, 'response');
    expect([answer.statusCode, answer.headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
    expect(JSON.parse(await text(answer))).toEqual({ ip: '127.0.0.1', protocol: 'https' });
  });

  it('speaks TLS 1.2 and newer, and HTTP/1.1', async () => {
    await listen('TLS');
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const { socket } = await openTls({ minVersion: version, maxVersion: version, ALPNProtocols: ['h2', 'http/1.1'] });
      expect([(socket as TLSSocket).getProtocol(), (socket as TLSSocket).alpnProtocol]).toEqual([version, 'http/1.1']);
    }
    // Old versions are off in the client, too, unless its ciphers are allowed.
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' } as const;
    await expect(openTls(old)).rejects.toThrow(/protocol version/);
  });

  it('is not believed by who was told of no authority', async () => {
    await listen('TLS');
    await expect(openTls({ ca: [] })).rejects.toThrow();
    const next = await openTls();
    next.socket.write(GET);
    await answered(next);
  });

  it('closes who speaks plain HTTP to it, or nonsense', async () => {
    await listen('TLS');
    for (const bytes of [GET, 'POST / HTTP/1.1\r\n', '\0'.repeat(100), `\x16\x03\x01${'a'.repeat(600)}`]) {
      const heard = await openBare();
      heard.socket.write(bytes);
      await closed(heard);
      expect(heard.text).not.toContain('HTTP/');
    }
  });

  it('answers what is no HTTP, once TLS is spoken, as ever', async () => {
    await listen('TLS');
    const heard = await openTls();
    heard.socket.write('nonsense\r\n\r\n');
    await closed(heard);
    expect(heard.text).toMatch(/^HTTP\/1\.1 400 .*"INVALID_ARGUMENT"/s);
  });

  it('closes a connection whose handshake does not end, or comes byte by byte, however regularly', async () => {
    await listen('TLS', { headMs: 200 });
    const [begun, dripping] = [await openBare(), await openBare()];
    for (const { socket } of [begun, dripping]) socket.write(Buffer.from('16030102000100', 'hex'));
    const drip = setInterval(() => dripping.socket.write('a'), 20);
    await closed(begun);
    await closed(dripping);
    clearInterval(drip);
  });

  it('shows another certificate to who connects after it was renewed, and keeps the connections it has', async () => {
    await listen('TLS');
    const before = await openTls();
    renewCertificate(app.server, await certify(['renewed.example']));
    before.socket.write(GET);
    await answered(before);
    await expect(openTls()).rejects.toThrow(/does not match certificate/);
    const after = await openTls({ servername: 'renewed.example' });
    after.socket.write(GET);
    await answered(after);
  });

  it('stops though a handshake does not end', async () => {
    await listen('TLS');
    const silent = await openBare();
    const kept = await openTls();
    kept.socket.write(GET);
    await answered(kept);
    await app.close();
    await closed(silent);
    await closed(kept);
  });
});
