import { setTimeout as sleep } from 'node:timers/promises';

const TOO_MANY = 429;

/** The platform's `fetch`, which waits as long as a 429 says and asks again: what a host of agents should give its MCP client. */
export async function fetchPatiently(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init);
    if (response.status !== TOO_MANY) return response;
    await response.body?.cancel();
    await sleep(Number(response.headers.get('retry-after')) * 1_000);
  }
}
