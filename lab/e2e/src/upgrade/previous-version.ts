import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@lending/testing';

const run = promisify(execFile);

/** What runs beside this version while there is no release (a tag `v…`) before it: the last that knew nothing of migration 0014. */
const LAST_BEFORE_RELEASES = 'b194f5ed62c4deb7f7f43d538cdde7ccde9ddf80';

/**
 * Puts the sources of the version before this one into `folder`, ready to run on the packages that are installed here: what is ours is
 * linked to its own workspaces, everything else to this checkout's.
 * @returns the commit, and the number of its newest migration
 */
export async function checkOutPrevious(folder: string): Promise<{ readonly commit: string; readonly newest: string }> {
  const commit = await findPrevious();
  const archive = join(folder, '..', `${commit}.tar`);
  await run('git', ['archive', '--format=tar', '-o', archive, commit], { cwd: ROOT });
  await run('tar', ['-xf', archive, '-C', folder]);
  await linkModules(folder);
  const migrations = (await readdir(join(folder, 'migrations'))).filter((name) => /^\d{4}_/.test(name)).sort();
  return { commit, newest: migrations.at(-1)?.slice(0, 4) ?? '' };
}

async function findPrevious(): Promise<string> {
  const { stdout } = await run('git', ['tag', '--list', 'v*', '--sort=-creatordate', '--no-contains', 'HEAD'], {
    cwd: ROOT,
  });
  return stdout.split('\n')[0] || LAST_BEFORE_RELEASES;
}

async function linkModules(folder: string): Promise<void> {
  const installed = join(ROOT, 'node_modules');
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@lending'), { recursive: true });
  for (const name of await readdir(installed)) {
    if (name !== '@lending') await symlink(join(installed, name), join(modules, name));
  }
  for (const workspace of await listWorkspaces(folder)) {
    const { name } = await readPackage(join(folder, workspace));
    if (name.startsWith('@lending/')) await symlink(join(folder, workspace), join(modules, name));
    // Versions of a package that only this workspace wants.
    await symlink(join(ROOT, workspace, 'node_modules'), join(folder, workspace, 'node_modules'));
  }
}

async function listWorkspaces(folder: string): Promise<readonly string[]> {
  const { workspaces } = await readPackage(folder);
  const found = await Promise.all(
    workspaces.map(async (pattern) => {
      if (!pattern.endsWith('/*')) return [pattern];
      const parent = pattern.slice(0, -2);
      return (await readdir(join(folder, parent))).map((name) => join(parent, name));
    }),
  );
  return found.flat();
}

async function readPackage(folder: string): Promise<{ readonly name: string; readonly workspaces: readonly string[] }> {
  const { default: content } = await import(join(folder, 'package.json'), { with: { type: 'json' } });
  return content;
}
