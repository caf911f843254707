import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { connectService, RefusedCall } from './service.ts';

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const REFUSED = { error: 'slow down', code: 'RATE_LIMITED', details: { retry_after_s: 1 } };

let server: Server;
let asked: number;

/** A service that answers these in turn, and goes on with the last. */
async function serve(...answers: readonly Answer[]): Promise<string> {
  asked = 0;
  server = createServer((_request, response) => {
    const { status, headers = {}, body } = answers[Math.min(asked, answers.length - 1)] as Answer;
    asked += 1;
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

describe('connectService', () => {
  it.each([429, 503])('waits as long as a %i says, and asks again', async (status) => {
    const url = await serve(
      { status, headers: { 'retry-after': '1' }, body: REFUSED },
      { status: 200, body: { banks: [] } },
    );
    const began = performance.now();
    expect(await connectService(url).get('/v1/banks')).toEqual({ banks: [] });
    // Timers may be a millisecond early.
    expect(performance.now() - began).toBeGreaterThan(990);
    expect(asked).toBe(2);
  });

  it('gives up after five times', async () => {
    const url = await serve({ status: 429, headers: { 'retry-after': '0' }, body: REFUSED });
    const failure = await connectService(url)
      .get('/v1/banks')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RefusedCall);
    expect(failure).toMatchObject({ code: 'RATE_LIMITED' });
    expect(asked).toBe(5);
  });

  it('asks once where nobody says how long to wait', async () => {
    const url = await serve({ status: 503, body: { error: 'away', code: 'UPSTREAM_UNAVAILABLE', details: {} } });
    await expect(connectService(url).get('/v1/banks')).rejects.toThrow('UPSTREAM_UNAVAILABLE');
    expect(asked).toBe(1);
  });
});
