import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface GarblingNode extends AsyncDisposable {
  readonly url: string;
}

/** A node that lies: accounts of one program come with other bytes than they have, as long as they are. */
export async function startGarblingNode(target: string, program: string): Promise<GarblingNode> {
  const server = createServer(async (request, response) => {
    const answer = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: await text(request),
    }).catch(() => null);
    if (answer === null) return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(await answer.json(), (_name, value) => garble(value, program)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function garble(value: unknown, program: string): unknown {
  const { owner, data } = (value ?? {}) as { owner?: unknown; data?: unknown };
  if (owner !== program || !Array.isArray(data) || typeof data[0] !== 'string') return value;
  const bytes = Buffer.from(data[0], 'base64');
  // Behind the discriminator: what it is stays, what it says does not.
  bytes.fill(0xa5, 8);
  return { ...(value as object), data: [bytes.toString('base64'), data[1]] };
}
