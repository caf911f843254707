// Plain JavaScript: it runs in the first stage of the image, before anything is installed.
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Takes out of the repository what one workspace runs on: itself, those it depends on, and the folders it reads.
 *   node infra/docker/prune.mjs services/api migrations docs/guide
 * `manifests/` is all that installing needs, with nothing of development left in it, so that a change of a source installs nothing anew, and so
 * that `npm ci` misses nothing: the lock file lacks binaries of other platforms, of development tools alone. `sources/` is the rest.
 */
const OUT = '../pruned';
/** What lies beside sources and is not run: tests, their doubles, benchmarks, programs of tests. */
const NOT_RUN =
  /\.(test|test-d|contract(-\w+)?|bench)\.ts$|^testing$|^shutdown-program\.ts$|^tsconfig\.json$|^turbo\.json$/;

const [entry, ...folders] = process.argv.slice(2);
const root = readJson('package.json');
const workspaces = new Map(
  root.workspaces
    .flatMap((pattern) => globSync(join(pattern, 'package.json')))
    .map((path) => [readJson(path).name, dirname(path)]),
);
const wanted = [...closureOf(readJson(join(entry, 'package.json')).name)].map((name) => workspaces.get(name)).sort();

const { devDependencies: _tools, dependencies: _node, scripts: _scripts, ...kept } = root;
write('manifests/package.json', { ...kept, workspaces: wanted });
cpSync('package-lock.json', join(OUT, 'manifests/package-lock.json'));
cpSync('infra/docker/install.sh', join(OUT, 'manifests/install.sh'));
for (const folder of wanted) {
  const { devDependencies: _tests, scripts: _theirs, ...manifest } = readJson(join(folder, 'package.json'));
  write(join('manifests', folder, 'package.json'), manifest);
  copy(join(folder, 'src'));
}
for (const folder of folders) copy(folder);

/** A workspace and all that it depends on, directly or not. */
function closureOf(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  const { dependencies = {} } = readJson(join(workspaces.get(name), 'package.json'));
  for (const dependency of Object.keys(dependencies)) if (workspaces.has(dependency)) closureOf(dependency, found);
  return found;
}

function copy(folder) {
  cpSync(folder, join(OUT, 'sources', folder), { recursive: true, filter: (path) => !NOT_RUN.test(basename(path)) });
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function write(path, value) {
  const file = join(OUT, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
