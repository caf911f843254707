import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between a client and a database, which a test can spoil. */
export interface TcpProxy {
  /** The database's, through the proxy. */
  readonly connectionString: string;
  /** Ends all connections on both sides and accepts no more. */
  cut(): void;
  restore(): void;
  /** Ends the clients' sides only: the server goes on believing in its own. */
  dropClients(): void;
  /** Passes nothing on any more, in either direction: not even that a side hung up. */
  silence(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(connectionString: string): Promise<TcpProxy> {
  const target = new URL(connectionString);
  const clients = new Set<Socket>();
  const servers = new Set<Socket>();
  let mode: 'open' | 'cut' | 'silent' = 'open';
  const proxy = createServer((client) => {
    if (mode === 'cut') return void client.destroy();
    clients.add(client);
    client.on('error', () => undefined);
    if (mode === 'silent') return;
    const server = connect(Number(target.port), target.hostname);
    servers.add(server);
    server.on('error', () => undefined);
    server.on('close', () => {
      if (mode !== 'silent') client.destroy();
    });
    client.pipe(server, { end: false });
    server.pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const own = new URL(connectionString);
  own.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const end = (sockets: Set<Socket>): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    connectionString: own.toString(),
    cut() {
      mode = 'cut';
      end(clients);
      end(servers);
    },
    restore() {
      mode = 'open';
    },
    dropClients: () => end(clients),
    silence() {
      mode = 'silent';
      for (const socket of [...clients, ...servers]) socket.unpipe().pause();
    },
    async close() {
      end(clients);
      end(servers);
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
