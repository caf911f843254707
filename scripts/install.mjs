// Plain JavaScript: this file runs on whatever Node the machine has (20 or newer), before ours is installed.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** The pinned Node that runs everything else. It comes from the npm package `node`. */
export const NODE = join(ROOT, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * Installs the locked dependencies unless they are already there, with a line of progress every few seconds.
 * Ends the process with one clear line when that is not possible.
 */
export async function ensureInstalled() {
  if (!isInstalled()) {
    say('Installing the locked dependencies (first run: about half a minute) …');
    await installLocked();
  }
  if (!existsSync(NODE)) {
    fail(
      `${NODE} is missing. Its install script did not run: allow install scripts for "node", then: npm rebuild node`,
    );
  }
}

/** True when node_modules holds every package of the lock file in its locked version. npm writes its own record last. */
function isInstalled() {
  const installed = readPackages(join(ROOT, 'node_modules', '.package-lock.json'));
  const locked = readPackages(join(ROOT, 'package-lock.json'));
  if (installed === undefined || locked === undefined || !existsSync(NODE)) return false;
  return Object.entries(locked).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link === true) return true;
    const found = installed[path];
    return found === undefined ? entry.optional === true || entry.peer === true : found.version === entry.version;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function installLocked() {
  const npm = process.env.npm_execpath;
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const started = Date.now();
  const beat = setInterval(() => say(`  … ${Math.round((Date.now() - started) / 1000)} s`), 5_000);
  // `install --no-save` and not `ci`: both keep to the lock file's versions and leave it alone, but `ci` refuses a lock file that was
  // written where the binaries of other platforms could not be had.
  // npm warns that some packages want a newer Node than the machine's. They run on the one this install brings.
  const child = spawn(command, [...first, 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve) => {
    child.once('error', (error) => fail(`npm could not be started: ${error.message}`));
    child.once('exit', (code) => {
      clearInterval(beat);
      if (code !== 0) fail(`npm install ended with code ${code}; its own message stands above`);
      say(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
      resolve();
    });
  });
}

export function say(line) {
  process.stderr.write(`${line}\n`);
}

export function fail(line) {
  say(line);
  process.exit(1);
}
