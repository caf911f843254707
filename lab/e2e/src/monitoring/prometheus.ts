import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@lending/testing';

/** Whether this machine has Prometheus and its tool. */
export function hasPrometheus(): boolean {
  try {
    for (const name of ['prometheus', 'promtool']) execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export interface RunningPrometheus {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server of its own that scrapes one process as each of the given jobs, with the given rules. */
export async function startPrometheus(options: {
  readonly dataDir: string;
  readonly target: string;
  readonly jobs: readonly string[];
  readonly rulesFile: string;
}): Promise<RunningPrometheus> {
  const { dataDir, target, jobs, rulesFile } = options;
  const port = await findFreePort();
  const file = join(dataDir, 'prometheus.yml');
  const config = {
    global: { scrape_interval: '500ms', evaluation_interval: '500ms' },
    rule_files: [rulesFile],
    scrape_configs: jobs.map((job) => ({ job_name: job, static_configs: [{ targets: [new URL(target).host] }] })),
  };
  // JSON is YAML.
  await writeFile(file, JSON.stringify(config));
  const child = spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(dataDir, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
