import type { RunningProcess } from '@lending/testing';

/** Reads V8's heap through the inspector of a process. */
export interface LiveHeap {
  /** MB of V8's heap that are in use once the garbage is collected. */
  measure(): Promise<number>;
  close(): void;
}

/** Makes a process listen to it, on a port that is free. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' } as const;
const MB = 1024 * 1024;

/** Connects to a process that was started `INSPECTED`. @throws Error when its inspector does not answer. */
export async function openLiveHeap(process: Pick<RunningProcess, 'waitForLine'>): Promise<LiveHeap> {
  const [, url = ''] = await process.waitForLine(/Debugger listening on (ws:\S+)/);
  const socket = new WebSocket(url);
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error(`${url} does not answer`));
  });
  const waiting = new Map<number, (result: unknown) => void>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  };
  let asked = 0;
  function ask(method: string): Promise<unknown> {
    const id = ++asked;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    waiting.set(id, resolve);
    socket.send(JSON.stringify({ id, method }));
    return promise.finally(() => waiting.delete(id));
  }
  return {
    async measure() {
      await ask('HeapProfiler.collectGarbage');
      const { usedSize } = (await ask('Runtime.getHeapUsage')) as { readonly usedSize: number };
      return usedSize / MB;
    },
    close: () => socket.close(),
  };
}
