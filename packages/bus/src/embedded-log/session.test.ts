import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Session } from './session.ts';

describe('Session', () => {
  it('can be closed while the server does not answer', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const session = new Session({ host: '127.0.0.1', port, user: 'nobody' }, [], undefined);
    const connected = once(server, 'connection');
    session.start();
    await connected;
    await session.close();
    expect(session.pid).toBeNull();
    server.close();
  });
});
