import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, vi } from 'vitest';
import { accountRow, WALLET } from '../testing/account-rows.ts';
import { SOL_BANK } from '../testing/bank-row.ts';
import { buildOf } from '../testing/fake-builds.ts';
import { createAccountsApp } from '../testing/test-app.ts';

const PATIENCE = { timeout: 120_000, interval: 10 };

const BODY = JSON.stringify({ authority: WALLET, bank: SOL_BANK, amount: 1.5 });
const HEAD = 'host: localhost\r\ncontent-type: application/json\r\n';
const BUILD = `POST /v1/tx/deposit HTTP/1.1\r\n${HEAD}content-length: ${BODY.length}\r\n\r\n${BODY}`;
const READ = `GET /v1/docs/units HTTP/1.1\r\n${HEAD}\r\n`;

/** A service that was told to stop while it built, and the connection that waits for the build. */
async function stopWhileBuilding() {
  const { promise: go, resolve: letGo } = Promise.withResolvers<void>();
  const buildAction = vi.fn(async (request: Parameters<typeof buildOf>[0]) => {
    await go;
    return buildOf(request);
  });
  const app = await createAccountsApp({ accounts: [accountRow()], builders: { buildAction } });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1');
  socket.write(BUILD);
  await vi.waitFor(() => expect(buildAction).toHaveBeenCalled(), PATIENCE);
  const closed = app.close();
  await vi.waitFor(() => expect(app.server.listening).toBe(false), PATIENCE);
  return { socket, letGo, closed };
}

/** All that comes until the connection is closed. */
async function headsOf(socket: Socket): Promise<readonly string[]> {
  return (await text(socket)).match(/HTTP\/1\.1 \d+|connection: close/gi)?.map((line) => line.toLowerCase()) ?? [];
}

describe('a service that stops', () => {
  it('answers what is under way, and ends its connection', async () => {
    const { socket, letGo, closed } = await stopWhileBuilding();
    letGo();
    expect(await headsOf(socket)).toEqual(['http/1.1 200', 'connection: close']);
    await closed;
  });

  it('answers who was connected and asks only then', async () => {
    const app = await createAccountsApp();
    await app.listen({ host: '127.0.0.1', port: 0 });
    const connected = once(app.server, 'connection');
    const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1');
    await connected;
    const closed = app.close();
    await vi.waitFor(() => expect(app.server.listening).toBe(false), PATIENCE);
    socket.write(READ);
    expect(await headsOf(socket)).toEqual(['http/1.1 200', 'connection: close']);
    await closed;
  });

  it('answers who asks on a connection that was kept open', async () => {
    const app = await createAccountsApp();
    await app.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1');
    socket.write(READ);
    await once(socket, 'data');
    const closed = app.close();
    socket.write(READ);
    expect(await headsOf(socket)).toEqual(['http/1.1 200', 'connection: close']);
    await closed;
  });

  it('resets nobody whose connection the system had taken', async () => {
    const app = await createAccountsApp();
    await app.listen({ host: '127.0.0.1', port: 0 });
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const port = Number(new URL(app.listeningOrigin).port);
    const crowd = new Worker(CROWD, { eval: true, workerData: { port, read: READ, sent } });
    // Nothing is accepted meanwhile.
    expect(Atomics.wait(sent, 0, 0, 60_000)).toBe('ok');
    const ends = once(crowd, 'message');
    await app.close();
    expect((await ends)[0]).toEqual(Array(40).fill('200'));
  });

  it('waits for nobody who is connected and says nothing', async () => {
    const app = await createAccountsApp();
    await app.listen({ host: '127.0.0.1', port: 0 });
    const connected = once(app.server, 'connection');
    const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1');
    await connected;
    await app.close();
    expect(await headsOf(socket)).toEqual([]);
  });
});

/** Forty who connect and ask at once, out of a thread of their own; told when all have, it tells how each was answered. */
const CROWD = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, read, sent } } = require('node:worker_threads');
  let waiting = 40;
  const ends = Array.from({ length: waiting }, () => new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(read, () => {
      waiting -= 1;
      if (waiting > 0) return;
      Atomics.store(sent, 0, 1);
      Atomics.notify(sent, 0);
    }));
    socket.on('data', (chunk) => (answer += chunk));
    socket.on('end', () => resolve(answer.slice(9, 12)));
    socket.on('error', (error) => resolve(error.code));
  }));
  Promise.all(ends).then((all) => parentPort.postMessage(all));
`;

describe('a service that is about to stop', () => {
  it('says so to whoever spreads requests, and serves on, each connection once', async () => {
    const stopping = new AbortController();
    const app = await createAccountsApp({ stopping: stopping.signal });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const port = Number(new URL(app.listeningOrigin).port);
    const kept = connect(port, '127.0.0.1');
    kept.write(READ);
    await once(kept, 'data');
    stopping.abort();
    kept.write(READ);
    expect(await headsOf(kept)).toEqual(['http/1.1 200', 'connection: close']);
    const later = connect(port, '127.0.0.1');
    later.write(READ);
    expect(await headsOf(later)).toEqual(['http/1.1 200', 'connection: close']);
    const probe = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect(probe.status).toBe(503);
    expect(await probe.json()).toMatchObject({ details: { reasons: [{ component: 'process', reason: 'stopping' }] } });
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    await app.close();
  });
});
