import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A venue's service over real HTTP, which answers what a test says. */
export interface FakeVenueService {
  readonly url: string;
  /** Paths and queries asked for, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export async function startFakeVenueService(answer: (path: URL) => FakeAnswer): Promise<FakeVenueService> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://service');
    asked.push(request.url ?? '/');
    const { status = 200, headers = {}, body } = answer(path);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
