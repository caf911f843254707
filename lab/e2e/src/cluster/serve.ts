import { createServer, type RequestListener, type Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** An HTTP server of a test's own, on a free port of this machine. */
export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Ends at once, with whatever it was doing. */
  stop(): Promise<void>;
}

export async function serve(answer: RequestListener | Server | SecureServer): Promise<Served> {
  const server = typeof answer === 'function' ? createServer(answer) : answer;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  return { url: `${scheme}://127.0.0.1:${port}`, port, stop, [Symbol.asyncDispose]: stop };
}
