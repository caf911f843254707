import { execFileSync } from 'node:child_process';

/** @returns process ids, parents before their children. */
export function descendantsOf(ancestor: number): readonly number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [ancestor];
  for (const parent of found) for (const [pid = 0, ppid] of processes) if (ppid === parent) found.push(pid);
  return found.slice(1);
}

/** Kills a process and all that it has started. */
export function killTree(ancestor: number): void {
  for (const pid of [ancestor, ...descendantsOf(ancestor)]) kill(pid);
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}
