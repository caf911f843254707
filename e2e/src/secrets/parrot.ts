import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A host that repeats all that it is sent, in headers, ids and errors, as a careless or hostile one does. */
export interface Parrot {
  readonly url: string;
  /** The keys it was asked with. */
  readonly keys: readonly string[];
  stop(): Promise<void>;
}

const ANSWERS = [
  (said: string) => ({ status: 401, body: { error: `Unknown key: ${said}`, code: said, errorCode: said, msg: said } }),
  (said: string) => ({ status: 400, body: { error: said, code: said, errorCode: said } }),
  (said: string) => ({ status: 500, body: said }),
  (said: string) => ({ status: 200, body: { requestId: said, inAmount: said, outAmount: said, routePlan: said } }),
];

export async function startParrot(): Promise<Parrot> {
  const keys: string[] = [];
  const server = createServer((request, response) => {
    const said = JSON.stringify([request.url, request.headers]);
    keys.push(String(request.headers['x-api-key'] ?? ''));
    const answer = ANSWERS[keys.length % ANSWERS.length]?.(said) ?? { status: 500, body: said };
    request.resume();
    response.writeHead(answer.status, { 'content-type': 'application/json', 'x-request-id': encodeURIComponent(said) });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
