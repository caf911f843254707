import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 20;

/** Prints at the end of a run which files took longest, in seconds: all of it, and what went by before the first test. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.map((module) => {
      const { duration, collectDuration, setupDuration, prepareDuration, environmentSetupDuration } =
        module.diagnostic();
      const startMs = collectDuration + setupDuration + prepareDuration + environmentSetupDuration;
      return { file: module.relativeModuleId, totalMs: duration + startMs, startMs };
    });
    const slowest = rows.sort((left, right) => right.totalMs - left.totalMs).slice(0, SHOWN);
    console.log(`\n== the ${slowest.length} slowest of ${rows.length} files: seconds, before the first test, file`);
    for (const { file, totalMs, startMs } of slowest)
      console.log(`${(totalMs / 1000).toFixed(1).padStart(6)} ${(startMs / 1000).toFixed(1).padStart(5)}  ${file}`);
  }
}
