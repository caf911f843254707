import { readFileSync } from 'node:fs';

/**
 * Loaded into a process, this lets a test move the clock that it measures with: at SIGUSR2 it is as many ms ahead as the file says that
 * `MOVED_CLOCK` names.
 */
const now = performance.now.bind(performance);
let aheadMs = 0;
performance.now = () => now() + aheadMs;
process.on('SIGUSR2', () => {
  aheadMs = Number(readFileSync(process.env.MOVED_CLOCK ?? '', 'utf8'));
  process.stdout.write(`ahead by ${aheadMs} ms\n`);
});
