import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fail, NODE, ROOT } from './install.mjs';

/** Makes Node read the settings in `.env` where there is such a file. The environment wins over it. */
export const ENV_FILE = existsSync(join(ROOT, '.env')) ? [`--env-file=${join(ROOT, '.env')}`] : [];

/**
 * How the services are run, here, in the image and in tests: a young generation of half Node's size, and an old one that is collected when
 * it has grown by 40 %. Indexing 100,000 accounts takes 350 MB so, and 570 to 820 without, at the same speed.
 */
export const MEMORY_FLAGS = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).config.node_flags.split(' ');

/** How often we look whether npm is still there. */
const PARENT_BEAT_MS = 500;

/**
 * Runs `args` with the pinned Node and ends this process as that one ended.
 *
 * The child leads a process group of its own, so that a Ctrl-C reaches it once, from here, and not a second time from
 * the terminal: the second one means "stop waiting". The message channel tells it when this process is gone. And when npm is
 * gone, killed where nobody forwards a signal, we get another parent, and stop it.
 */
export function runNode(args) {
  const child = spawn(NODE, args, {
    cwd: ROOT,
    detached: true,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH: `${dirname(NODE)}${delimiter}${process.env.PATH ?? ''}` },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, PARENT_BEAT_MS);
  watch.unref();
  child.once('error', (error) => fail(`${NODE} could not be started: ${error.message}`));
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}
