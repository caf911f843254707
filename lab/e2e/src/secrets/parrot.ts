import { type Served, serve } from '../cluster/serve.ts';

/** A host that repeats all that it is sent, in headers, ids and errors, as a careless or hostile one does. */
export interface Parrot extends Served {
  /** The keys it was asked with. */
  readonly keys: readonly string[];
}

const ANSWERS = [
  (said: string) => ({ status: 401, body: { error: `Unknown key: ${said}`, code: said, errorCode: said, msg: said } }),
  (said: string) => ({ status: 400, body: { error: said, code: said, errorCode: said } }),
  (said: string) => ({ status: 500, body: said }),
  (said: string) => ({ status: 200, body: { requestId: said, inAmount: said, outAmount: said, routePlan: said } }),
];

export async function startParrot(): Promise<Parrot> {
  const keys: string[] = [];
  const served = await serve((request, response) => {
    const said = JSON.stringify([request.url, request.headers]);
    keys.push(String(request.headers['x-api-key'] ?? ''));
    const answer = ANSWERS[keys.length % ANSWERS.length]?.(said) ?? { status: 500, body: said };
    request.resume();
    response.writeHead(answer.status, { 'content-type': 'application/json', 'x-request-id': encodeURIComponent(said) });
    response.end(JSON.stringify(answer.body));
  });
  return { ...served, keys };
}
