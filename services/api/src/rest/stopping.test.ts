import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { accountRow, WALLET } from '../testing/account-rows.ts';
import { createAccountsApp } from '../testing/accounts-app.ts';
import { SOL_BANK } from '../testing/bank-row.ts';
import { buildOf } from '../testing/fake-builds.ts';

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
  await vi.waitFor(() => expect(buildAction).toHaveBeenCalled());
  const closed = app.close();
  await vi.waitFor(() => expect(app.server.listening).toBe(false));
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
    await vi.waitFor(() => expect(app.server.listening).toBe(false));
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
});
