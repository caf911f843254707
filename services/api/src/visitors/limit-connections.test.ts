import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createMetrics, type Metrics } from '@lending/runtime';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { answerClientError } from '../rest/client-errors.ts';
import {
  type ConnectionLimits,
  connectionOptions,
  DEFAULT_CONNECTION_LIMITS,
  limitConnections,
} from './limit-connections.ts';

const PATIENCE = { timeout: 120_000, interval: 10 };

let app: FastifyInstance;
let metrics: Metrics;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

async function listen(changes: Partial<ConnectionLimits>, isProxy = (_address: string) => false) {
  const limits = { ...DEFAULT_CONNECTION_LIMITS, ...changes };
  metrics = createMetrics();
  app = fastify({ ...connectionOptions(limits), clientErrorHandler: answerClientError });
  limitConnections(app, { limits, isProxy, metrics });
  app.post('/', async () => 'answer');
  app.get('/', async () => 'answer');
  app.get('/held', () => new Promise(() => {}));
  await app.listen({ host: '127.0.0.1', port: 0 });
}

interface Heard {
  readonly socket: Socket;
  text: string;
  isClosed: boolean;
}

async function open(): Promise<Heard> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  const heard: Heard = { socket, text: '', isClosed: false };
  socket.on('data', (data) => {
    heard.text += data.toString();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    heard.isClosed = true;
  });
  await once(socket, 'connect');
  return heard;
}

const GET = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
const closed = (heard: Heard) => vi.waitFor(() => expect(heard.isClosed).toBe(true), PATIENCE);
const answered = (heard: Heard) => vi.waitFor(() => expect(heard.text).toContain('200 OK'), PATIENCE);

describe('a connection that is slow', () => {
  it('is told and closed when the head of its request does not come', async () => {
    await listen({ headMs: 100 });
    const heard = await open();
    heard.socket.write('GET / HTTP/1.1\r\nho');
    await closed(heard);
    expect(heard.text).toMatch(/^HTTP\/1\.1 400 .*did not arrive whole in time/s);
  });

  it('is closed when nothing comes at all', async () => {
    await listen({ headMs: 100 });
    await closed(await open());
  });

  it('is closed when its body comes byte by byte, however regularly', async () => {
    await listen({ headMs: 100, requestMs: 300 });
    const heard = await open();
    heard.socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n[');
    const drip = setInterval(() => heard.socket.write(' '), 20);
    await closed(heard);
    clearInterval(drip);
    expect(heard.text).toContain('did not arrive whole in time');
  });

  it('is closed when it is answered nothing and says nothing for too long', async () => {
    await listen({ idleMs: 100 });
    const heard = await open();
    heard.socket.write(GET.replace('/', '/held'));
    await closed(heard);
  });
});

describe('connections', () => {
  it('are closed where one client has too many, until it closes some', async () => {
    await listen({ mostPerClient: 2 });
    const [one, two, three] = [await open(), await open(), await open()];
    await closed(three);
    for (const heard of [one, two]) {
      heard.socket.write(GET);
      await answered(heard);
    }
    one.socket.destroy();
    await vi.waitFor(async () => {
      const next = await open();
      next.socket.write(GET);
      await vi.waitFor(() => expect(next.text).toContain('200 OK'), { timeout: 2_000 });
    }, PATIENCE);
    expect(await metrics.render()).toMatch(/api_connection_refuse_total\{limit="client"\} [1-9]/);
  });

  it('are counted as no client where they are a proxy’s', async () => {
    await listen({ mostPerClient: 1 }, (address) => address === '127.0.0.1');
    const [one, two] = [await open(), await open()];
    for (const heard of [one, two]) {
      heard.socket.write(GET);
      await answered(heard);
    }
  });

  it('are closed where there are too many in all', async () => {
    await listen({ most: 1 });
    const [one, two] = [await open(), await open()];
    await closed(two);
    one.socket.write(GET);
    await answered(one);
    expect(await metrics.render()).toContain('api_connection_refuse_total{limit="all"} 1');
  });

  it('are cut off where too many requests wait behind one that is not answered', async () => {
    await listen({ mostWaiting: 4 });
    const heard = await open();
    heard.socket.write(GET.replace('/', '/held') + GET.repeat(2_000));
    await closed(heard);
    // All that waited behind the first was made for nothing: no more than these.
    expect(heard.text).toBe('');
    expect(await metrics.render()).toMatch(/api_connection_refuse_total\{limit="waiting"\}/);
  });

  it('may ask one thing after the other for as long as they like', async () => {
    await listen({ mostWaiting: 4 });
    const heard = await open();
    for (let turn = 1; turn <= 20; turn += 1) {
      heard.socket.write(GET);
      await vi.waitFor(() => expect(heard.text.split('200 OK')).toHaveLength(turn + 1), PATIENCE);
    }
    expect(heard.isClosed).toBe(false);
  });
});
