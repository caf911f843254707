// Plain JavaScript: this file runs on whatever Node the machine has (20 or newer), before ours is installed.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** The pinned Node that runs everything else. It comes from the npm package `node`. */
export const NODE = join(ROOT, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** What is installed apart: `runs` is the root's lock file without what that marks as development, `proves` is all of it. */
const SETS = {
  runs: { folder: ROOT, dev: false, what: 'what runs' },
  proves: { folder: ROOT, dev: true, what: 'what proves' },
  compares: { folder: join(ROOT, 'lab', 'parity'), dev: true, what: 'the official SDKs to compare with' },
};

/**
 * Installs the locked packages of these sets unless they are already there, with a line of progress every few seconds.
 * Ends the process with one clear line when that is not possible.
 */
export async function ensureInstalled(...names) {
  const missing = names.map((name) => SETS[name]).filter((set) => !isInstalled(set));
  await Promise.all(missing.map(installLocked));
  // After all of them: one that is still being installed may be writing what this removes.
  if (missing.length > 0) removeHeaders();
  if (!existsSync(NODE)) {
    fail(
      `${NODE} is missing. Its install script did not run: allow install scripts for "node", then: npm rebuild node`,
    );
  }
}

/** True when node_modules holds every package of the set in its locked version. npm writes its own record last. */
function isInstalled({ folder, dev }) {
  const installed = readInstalled(folder);
  const locked = readPackages(join(folder, 'package-lock.json'));
  if (installed === undefined || locked === undefined || !existsSync(NODE)) return false;
  return Object.entries(locked).every(([path, entry]) => {
    if (!path.includes('node_modules/') || (entry.dev === true && !dev)) return true;
    // A workspace that came with a pull.
    if (entry.link === true) return existsSync(join(folder, path));
    const found = installed[path];
    return found === undefined ? entry.optional === true || entry.peer === true : found.version === entry.version;
  });
}

function readInstalled(folder) {
  return readPackages(join(folder, 'node_modules', '.package-lock.json'));
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function installLocked(set) {
  say(`Installing ${set.what} (first run: about half a minute) …`);
  const npm = process.env.npm_execpath;
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const started = Date.now();
  const beat = setInterval(() => say(`  … ${set.what}: ${Math.round((Date.now() - started) / 1000)} s`), 5_000);
  // `install --no-save` and not `ci`: both keep to the lock file's versions and leave it alone, but `ci` refuses a lock file that was
  // written where the binaries of other platforms could not be had.
  // npm warns that some packages want a newer Node than the machine's. They run on the one this install brings.
  const options = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...omitted(set)];
  const child = spawn(command, [...first, 'install', ...options], {
    cwd: set.folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // The other set's install ends where this one's fails.
  process.once('exit', () => child.kill());
  return new Promise((resolve) => {
    child.once('error', (error) => fail(`npm could not be started: ${error.message}`));
    child.once('exit', (code) => {
      clearInterval(beat);
      if (code !== 0) fail(`npm install ended with code ${code}; its own message stands above`);
      say(`Installed ${set.what} in ${Math.round((Date.now() - started) / 1000)} s.`);
      resolve();
    });
  });
}

/** Without what only tests want, unless some of it is there: npm removes what it is asked to omit. */
function omitted({ folder, dev }) {
  const isWanted = dev || Object.values(readInstalled(folder) ?? {}).some((entry) => entry.dev === true);
  // Said either way: the environment may say `production`.
  return isWanted ? ['--include=dev'] : ['--omit=dev'];
}

/** Deletes the 68 MB of C headers of the package `node`: only a build of native code reads them. */
function removeHeaders() {
  const folder = join(ROOT, 'node_modules', 'node', 'node_modules');
  const found = existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    : [];
  for (const { name } of found) rmSync(join(folder, name, 'include'), { recursive: true, force: true });
}

export function say(line) {
  process.stderr.write(`${line}\n`);
}

export function fail(line) {
  say(line);
  process.exit(1);
}
