import { readFileSync } from 'node:fs';
import type { RunningProcess } from '@lending/testing';

/** Linux counts processor time in hundredths of a second for whoever reads it. */
const MS_PER_TICK = 10;
/** Fields behind the name in brackets, which may hold spaces: utime and stime. */
const [USER, SYSTEM] = [11, 12];

/** Milliseconds of processor time a process has used, all threads; NaN where the system does not tell. A loaded machine does not change it much. */
export function processorMs(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[USER]) + Number(fields[SYSTEM])) * MS_PER_TICK;
  } catch {
    return Number.NaN;
  }
}

/** Resident set of a process, MB; NaN where the system does not tell. */
export function residentMb(pid: number | undefined): number {
  return statusMb(pid, 'VmRSS');
}

/** The largest it ever was, as the kernel remembers it. */
export function highestResidentMb(pid: number | undefined): number {
  return statusMb(pid, 'VmHWM');
}

/** Of what is resident, what a process made itself; the rest is files in memory (Node's own program above all), which processes share. */
export function anonymousMb(pid: number | undefined): number {
  return statusMb(pid, 'RssAnon');
}

function statusMb(pid: number | undefined, name: 'VmRSS' | 'VmHWM' | 'RssAnon'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024);
  } catch {
    return Number.NaN;
  }
}

/** Reads V8's heap through the inspector of a process. */
interface LiveHeap {
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
