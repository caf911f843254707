import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';
import { type Served, serve } from '../cluster/serve.ts';

const PAGE = `<!doctype html><html lang="en"><head><title>Somebody's page</title><link rel="icon" href="data:,"></head>
<body><script type="module">
import * as lending from '/index.js';
window.lending = lending;
</script></body></html>`;

/** Somebody else's page, with the JavaScript client beside it as it is; nothing of it is the service's. */
export function startPageServer(): Promise<Served> {
  return serve(async (request, response) => {
    const [, name] = /^\/([a-z-]+\.js)$/.exec(request.url ?? '') ?? [];
    if (name === undefined) return response.setHeader('content-type', 'text/html').end(PAGE);
    const module = await readFile(join(ROOT, 'clients/javascript/src', name));
    return response.setHeader('content-type', 'text/javascript').end(module);
  });
}
