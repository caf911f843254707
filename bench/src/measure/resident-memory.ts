import { readFileSync } from 'node:fs';

/** Resident set of a process, MB; NaN where the system does not tell. */
export function residentMb(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024);
  } catch {
    return Number.NaN;
  }
}
