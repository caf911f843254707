import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems hand out by themselves, Linux from 32768 on: nobody is given one of them until it is used. */
const [FIRST, END] = [20_000, 32_000];

/** For programs that have to be told their port: a port of 127.0.0.1 that nobody listens on. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
