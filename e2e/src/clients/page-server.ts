import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';

const PAGE = `<!doctype html><html lang="en"><head><title>Somebody's page</title><link rel="icon" href="data:,"></head>
<body><script type="module">
import * as lending from '/index.js';
window.lending = lending;
</script></body></html>`;

/** Somebody else's page, with the JavaScript client beside it as it is; nothing of it is the service's. */
export async function startPageServer(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(async (request, response) => {
    const [, name] = /^\/([a-z-]+\.js)$/.exec(request.url ?? '') ?? [];
    if (name === undefined) return response.setHeader('content-type', 'text/html').end(PAGE);
    const module = await readFile(join(ROOT, 'clients/javascript/src', name));
    return response.setHeader('content-type', 'text/javascript').end(module);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
