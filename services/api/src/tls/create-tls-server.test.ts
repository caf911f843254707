import { once } from 'node:events';
import { request } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { createLogger, createMetrics, type Metrics } from '@lending/runtime';
import { type MadeAuthority, makeAuthority } from '@lending/testing';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createBareApp } from '../bare-app.ts';
import { createTestLimiter } from '../testing/test-app.ts';
import { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from '../visitors/limit-connections.ts';
import { renewCertificate } from './create-tls-server.ts';

const PATIENCE = { timeout: 120_000, interval: 10 };

let authority: MadeAuthority;
let app: FastifyInstance;
let metrics: Metrics;
const lines: string[] = [];
const sockets: Socket[] = [];

beforeAll(async () => {
  authority = await makeAuthority();
});
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

async function listen(changes: Partial<ConnectionLimits> = {}, trustedProxies: readonly string[] = []) {
  metrics = createMetrics();
  const logger = createLogger({ level: 'warn', name: 'test', destination: { write: (line) => void lines.push(line) } });
  const connections = { ...DEFAULT_CONNECTION_LIMITS, ...changes };
  const tokens = { useAccessToken: async () => null };
  const certificate = await certify();
  app = await createBareApp(
    {
      limiter: createTestLimiter(),
      tokens,
      logger,
      metrics,
      maxBodyBytes: 1_000,
      connections,
      certificate,
      trustedProxies,
    },
    [],
  );
  app.get('/', async ({ ip, protocol }) => ({ ip, protocol }));
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
async function open() {
  const heard = watch(connect(port(), '127.0.0.1'));
  await once(heard.socket, 'connect');
  return heard;
}

/** A connection over which requests may be sent. */
async function openTls(options: ConnectionOptions = {}) {
  const heard = watch(connectTls({ host: '127.0.0.1', port: port(), ca: authority.cert, ...options }));
  await once(heard.socket as TLSSocket, 'secureConnect');
  return heard;
}

const GET = 'GET / HTTP/1.1\r\nhost: lending.example\r\n\r\n';
const closed = (heard: { isClosed: boolean }) => vi.waitFor(() => expect(heard.isClosed).toBe(true), PATIENCE);
const answered = (heard: { text: string }) => vi.waitFor(() => expect(heard.text).toContain('200 OK'), PATIENCE);

describe('a server with a certificate', () => {
  it('answers who believes its authority, and tells him to come by TLS', async () => {
    await listen();
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
    await listen();
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const { socket } = await openTls({ minVersion: version, maxVersion: version, ALPNProtocols: ['h2', 'http/1.1'] });
      expect([(socket as TLSSocket).getProtocol(), (socket as TLSSocket).alpnProtocol]).toEqual([version, 'http/1.1']);
    }
    // Old versions are off in the client, too, unless its ciphers are allowed.
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' } as const;
    await expect(openTls(old)).rejects.toThrow(/protocol version/);
  });

  it('is not believed by who was told of no authority', async () => {
    await listen();
    await expect(openTls({ ca: [] })).rejects.toThrow();
    const next = await openTls();
    next.socket.write(GET);
    await answered(next);
  });

  it('closes who speaks plain HTTP to it, or nonsense', async () => {
    await listen();
    for (const bytes of [GET, 'POST / HTTP/1.1\r\n', '\0'.repeat(100), `\x16\x03\x01${'a'.repeat(600)}`]) {
      const heard = await open();
      heard.socket.write(bytes);
      await closed(heard);
      expect(heard.text).not.toContain('HTTP/');
    }
  });

  it('answers what is no HTTP, once TLS is spoken, as ever', async () => {
    await listen();
    const heard = await openTls();
    heard.socket.write('nonsense\r\n\r\n');
    await closed(heard);
    expect(heard.text).toMatch(/^HTTP\/1\.1 400 .*"INVALID_ARGUMENT"/s);
  });

  it('shows another certificate to who connects after it was renewed, and keeps the connections it has', async () => {
    await listen();
    const before = await openTls();
    renewCertificate(app.server, await certify(['renewed.example']));
    before.socket.write(GET);
    await answered(before);
    await expect(openTls()).rejects.toThrow(/does not match certificate/);
    const after = await openTls({ servername: 'renewed.example' });
    after.socket.write(GET);
    await answered(after);
  });
});

describe('connections over TLS', () => {
  it('are closed when nothing comes, and when the handshake does not end', async () => {
    await listen({ headMs: 100 });
    const [silent, begun] = [await open(), await open()];
    begun.socket.write(Buffer.from('160301', 'hex'));
    await closed(silent);
    await closed(begun);
  });

  it('are closed when the handshake comes byte by byte, however regularly', async () => {
    await listen({ headMs: 200 });
    const heard = await open();
    heard.socket.write(Buffer.from('16030102000100', 'hex'));
    const drip = setInterval(() => heard.socket.write('a'), 20);
    await closed(heard);
    clearInterval(drip);
  });

  it('are told and closed when the head of a request does not come', async () => {
    await listen({ headMs: 100 });
    const heard = await openTls();
    heard.socket.write('GET / HTTP/1.1\r\nho');
    await closed(heard);
    expect(heard.text).toMatch(/^HTTP\/1\.1 400 .*did not arrive whole in time/s);
  });

  it('are closed when they are answered nothing and say nothing for too long', async () => {
    await listen({ idleMs: 100 });
    const heard = await openTls();
    heard.socket.write(GET.replace('/', '/held'));
    await closed(heard);
  });

  it('count before their handshake, are closed above a client’s share, and free their place', async () => {
    await listen({ mostPerClient: 2 });
    const [silent] = [await open(), await openTls()];
    await closed(await open());
    silent.socket.destroy();
    await vi.waitFor(async () => {
      const next = await openTls();
      next.socket.write(GET);
      await vi.waitFor(() => expect(next.text).toContain('200 OK'), { timeout: 2_000 });
    }, PATIENCE);
    expect(await metrics.render()).toMatch(/api_connection_refuse_total\{limit="client"\} [1-9]/);
  });

  it('are closed where there are too many in all', async () => {
    await listen({ most: 1 });
    const one = await openTls();
    await closed(await open());
    one.socket.write(GET);
    await answered(one);
    expect(await metrics.render()).toContain('api_connection_refuse_total{limit="all"} 1');
  });

  it('are cut off where too many requests wait behind one that is not answered', async () => {
    await listen({ mostWaiting: 4 });
    const heard = await openTls();
    heard.socket.write(GET.replace('/', '/held') + GET.repeat(200));
    await closed(heard);
    expect(heard.text).toBe('');
  });

  it('say whose they are, where a proxy that is named says so', async () => {
    await listen({}, ['127.0.0.1']);
    const heard = await openTls();
    heard.socket.write(GET.replace('\r\n\r\n', '\r\nx-forwarded-for: 203.0.113.7\r\nx-forwarded-proto: http\r\n\r\n'));
    await answered(heard);
    expect(heard.text).toContain('{"ip":"203.0.113.7","protocol":"http"}');
    expect(heard.text).not.toMatch(/strict-transport-security/i);
  });

  it('do not hold up a server that stops, though a handshake does not end', async () => {
    await listen();
    const silent = await open();
    const kept = await openTls();
    kept.socket.write(GET);
    await answered(kept);
    await app.close();
    await closed(silent);
    await closed(kept);
  });
});
