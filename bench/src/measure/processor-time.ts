import { readFileSync } from 'node:fs';

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
