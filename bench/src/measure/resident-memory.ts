import { readFileSync } from 'node:fs';

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
