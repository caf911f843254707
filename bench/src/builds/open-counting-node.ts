import { startProcess } from '@lending/testing';
import type { NodeRequest } from './node-request.ts';

/** A node that counts, in front of another. */
export interface CountingNode {
  readonly url: string;
  /** What was asked since this was called last. */
  take(): Promise<readonly NodeRequest[]>;
  setLatency(ms: number): Promise<void>;
  /** Milliseconds that the same requests take in the same waves, sent by nobody who thinks in between. */
  replay(waves: readonly (readonly NodeRequest[])[]): Promise<number>;
  stop(): Promise<unknown>;
}

export async function openCountingNode(target: string): Promise<CountingNode> {
  const running = await startProcess({
    entry: 'bench/src/counting-node.ts',
    arguments: [target],
    env: {},
    readyLine: /(http:\/\/127\.0\.0\.1:\d+)/,
  });
  const url = running.baseUrl;
  const post = async ({ body }: NodeRequest) => {
    const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    await response.json();
  };
  const take = async () => {
    const response = await fetch(`${url}/asked`, { method: 'DELETE' });
    return (await response.json()) as readonly NodeRequest[];
  };
  return {
    url,
    take,
    async setLatency(ms) {
      await fetch(`${url}/latency/${ms}`, { method: 'PUT' });
    },
    async replay(waves) {
      const from = performance.now();
      for (const wave of waves) await Promise.all(wave.map(post));
      const took = performance.now() - from;
      await take();
      return took;
    },
    stop: () => running.stop(),
  };
}
