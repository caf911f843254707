import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Memory that a process holds, MB. */
export async function readResidentMb(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Math.round(Number(stdout.trim()) / 1_024);
}

/** The most that a process held while it was watched. */
export function watchResident(pid: number): { peakMb(): number; stop(): Promise<void> } {
  let peak = 0;
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) {
      peak = Math.max(peak, await readResidentMb(pid).catch(() => 0));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })();
  return {
    peakMb: () => peak,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
