import type { Server } from 'node:net';

/** Listens on 127.0.0.1; resolves with the port. */
export function listenOnFreePort(server: Server): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    resolve(typeof address === 'object' && address !== null ? address.port : 0);
  });
  return promise;
}
