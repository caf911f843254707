import { startProcess } from '@lending/testing';
import type { HostRequest } from './node-request.ts';

/** A node that counts, in front of another, and beside it other hosts that do. */
export interface CountingNode {
  readonly url: string;
  /** Of the node and the other hosts, in their order. */
  readonly urls: readonly string[];
  /** What was asked since this was called last. */
  take(): Promise<readonly HostRequest[]>;
  setLatency(ms: number): Promise<void>;
  /** Milliseconds that the same requests take in the same waves, sent by nobody who thinks in between. */
  replay(waves: readonly (readonly HostRequest[])[]): Promise<number>;
  stop(): Promise<unknown>;
}

export async function openCountingNode(
  ...targets: readonly [node: string, ...others: string[]]
): Promise<CountingNode> {
  const running = await startProcess({
    entry: 'bench/src/counting-node.ts',
    arguments: targets,
    env: {},
    readyLine: /^(http:\/\/127\.0\.0\.1:\d+.*)$/,
  });
  const urls = running.baseUrl.split(' ');
  const [url = ''] = urls;
  const send = async ({ host, method, path, body }: HostRequest) => {
    const sent = method === 'GET' ? { method } : { method, body, headers: { 'content-type': 'application/json' } };
    const response = await fetch(new URL(path, urls[host]), sent);
    await response.json();
  };
  const take = async () => {
    const response = await fetch(`${url}/asked`, { method: 'DELETE' });
    return (await response.json()) as readonly HostRequest[];
  };
  return {
    url,
    urls,
    take,
    async setLatency(ms) {
      await fetch(`${url}/latency/${ms}`, { method: 'PUT' });
    },
    async replay(waves) {
      const from = performance.now();
      for (const wave of waves) await Promise.all(wave.map(send));
      const took = performance.now() - from;
      await take();
      return took;
    },
    stop: () => running.stop(),
  };
}
