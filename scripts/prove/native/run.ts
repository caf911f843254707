import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PROGRAM, STAND_INS } from './stand-ins.ts';

/**
 * `npm run prove -- native SOURCE_DIR`: compiles the lending program for this machine and runs the random transactions of our model on it.
 * Prints how long each step took: on two cores eight minutes to compile and three to run; 2 GB. SOURCE_DIR holds two git repositories,
 * bare or not, which it only reads: `marginfi-v2` (github.com/0dotxyz/marginfi-v2, with its branches) and `switchboard-sdk`
 * (github.com/switchboard-xyz/switchboard-sdk). Rust's `cargo` fetches the rest. No release after 0.1.9 is public as a whole: what is
 * compiled stands in for 0.1.10, and by `native-0.1.12` for 0.1.12.
 */
const VERSION = process.env.NATIVE_VERSION ?? '0.1.10';
const BRANCHES = STAND_INS[VERSION] ?? fail(`NATIVE_VERSION is one of ${Object.keys(STAND_INS).join(', ')}`);
const SWITCHBOARD = 'f75b1ef63e10eda35d046b1838810ec2935d7f39';
const SWITCHBOARD_FOLDER = 'solana/rust/switchboard-on-demand';
/** Not the tests' fixtures, of which copies lack the largest. */
const FOLDERS = ['programs', 'type-crate', 'id-crate', 'test-utils'];

const ROOT = join(import.meta.dirname, '../../..');
const WORK = join(ROOT, '.cache/prove/native', VERSION);
const SOURCES = join(WORK, 'program');
const RUNNER = join(WORK, 'target/native/native-runner');

const [sourceDir = ''] = process.argv.slice(2);
if (sourceDir === '') fail('SOURCE_DIR is missing: npm run prove -- native SOURCE_DIR');
const program = repositoryOf('marginfi-v2', [PROGRAM, ...BRANCHES.map(({ commit }) => commit)]);
const switchboard = repositoryOf('switchboard-sdk', [SWITCHBOARD]);
if (spawnSync('cargo', ['--version']).status !== 0) fail("Rust's cargo is missing: https://rustup.rs installs it");

step('assemble the sources', () => {
  rmSync(SOURCES, { recursive: true, force: true });
  mkdirSync(SOURCES, { recursive: true });
  extract(program, PROGRAM, [...FOLDERS, 'idls', 'idls-complete', 'Cargo.toml', 'Cargo.lock', '.cargo'], SOURCES);
  const commit = () => {
    git(SOURCES, 'add', '--all');
    git(
      SOURCES,
      '-c',
      'commit.gpgsign=false',
      '-c',
      'user.name=prove',
      '-c',
      'user.email=prove@localhost',
      'commit',
      '--quiet',
      '-m',
      'as it was',
    );
  };
  git(SOURCES, 'init', '--quiet');
  // So that it can merge: the patches name what they were made against.
  const objects = git(program, 'rev-parse', '--path-format=absolute', '--git-path', 'objects');
  writeFileSync(join(SOURCES, '.git/objects/info/alternates'), objects);
  commit();
  for (const { branch, commit: head, both = [], edits = [] } of BRANCHES) {
    const base = git(program, 'merge-base', PROGRAM, head).toString().trim();
    const patch = git(program, '-c', 'diff.noprefix=false', 'diff', '--binary', base, head, '--', ...FOLDERS);
    const { status, stderr } = spawnSync('git', ['apply', '--3way'], { cwd: SOURCES, input: patch });
    const conflicts = git(SOURCES, 'diff', '--name-only', '--diff-filter=U').toString().split('\n').slice(0, -1);
    if (status !== 0 && conflicts.length === 0) fail(`${branch} does not apply: ${stderr}`);
    for (const file of conflicts) resolveConflicts(join(SOURCES, file), both.includes(file));
    for (const [file, text, other] of edits) replace(join(SOURCES, file), text, other);
    commit();
  }
  rmSync(join(WORK, 'switchboard'), { recursive: true, force: true });
  mkdirSync(join(WORK, 'switchboard'));
  extract(switchboard, SWITCHBOARD, [SWITCHBOARD_FOLDER], join(WORK, 'switchboard'));
  cpSync(join(import.meta.dirname, 'runner/Cargo.toml'), join(SOURCES, 'runner/Cargo.toml'));
  for (const file of ['main.rs', 'layout.rs'])
    cpSync(join(import.meta.dirname, 'runner', file), join(SOURCES, 'runner/src', file));
  const manifest = join(SOURCES, 'Cargo.toml');
  // Its command line tool is not needed, and asks for more.
  replace(manifest, '"p0-cli"', '"runner"');
  replaceLine(manifest, 'pyth-solana-receiver-sdk = ', 'pyth-solana-receiver-sdk = "=2.0.0"');
  replaceLine(
    manifest,
    'switchboard-on-demand = ',
    `switchboard-on-demand = { path = "../switchboard/${SWITCHBOARD_FOLDER}", default-features = false, features = ["cpi", "solana-v3"] }`,
  );
  replace(join(SOURCES, 'programs/marginfi/Cargo.toml'), ', "pyth-solana-receiver-sdk/idl-build"', '');
  // As on the chain, sums that leave their type end the transaction.
  appendFileSync(
    manifest,
    '\n[profile.native]\ninherits = "dev"\nopt-level = 1\ndebug = false\ndebug-assertions = false\noverflow-checks = true\n',
  );
});

step('fetch the crates', () => {
  const found = JSON.parse(cargo('metadata', '--format-version', '1').toString()) as {
    readonly packages: readonly { readonly name: string; readonly version: string; readonly manifest_path: string }[];
  };
  const patched = ['solana-cpi', 'solana-invoke', 'anchor-lang'].map((name) => {
    const crate = found.packages.find((one) => one.name === name);
    if (crate === undefined) return fail(`The program does not use ${name}`);
    const folder = join(WORK, 'patched', name);
    rmSync(folder, { recursive: true, force: true });
    cpSync(dirname(crate.manifest_path), folder, { recursive: true });
    return folder;
  });
  const [cpi, invoke, anchor] = patched as [string, string, string];
  // Outside the virtual machine calls would panic or do nothing, and events would not be logged.
  const call = 'return solana_sysvar::program_stubs::sol_invoke_signed(instruction, account_infos, signers_seeds);';
  replace(join(cpi, 'src/lib.rs'), '#[cfg(not(target_os = "solana"))]\n    Ok(())', call.slice('return '.length, -1));
  replace(
    join(invoke, 'src/lib.rs'),
    '    use stable_instruction_borrowed::',
    `    ${call}\n    use stable_instruction_borrowed::`,
  );
  replace(
    join(anchor, 'src/lib.rs'),
    'core::hint::black_box(data);',
    'solana_sysvar::program_stubs::sol_log(&format!("event {data:?}"));',
  );
  for (const folder of [cpi, invoke])
    appendFileSync(join(folder, 'Cargo.toml'), '\n[dependencies.solana-sysvar]\nversion = "3"\n');
  const patches = patched.map((folder) => `${folder.slice(join(WORK, 'patched/').length)} = { path = "${folder}" }`);
  appendFileSync(join(SOURCES, 'Cargo.toml'), `\n[patch.crates-io]\n${patches.join('\n')}\n`);
});

step('compile the program', () => {
  const features = VERSION === '0.1.10' ? [] : ['--features', 'layout'];
  cargo('build', '--profile', 'native', '--package', 'native-runner', ...features);
});

step('run the transactions on both', () => {
  const { status } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', 'lab/localnet/src/programs/native'],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, NATIVE_PROGRAM: RUNNER, NATIVE_VERSION: VERSION } },
  );
  if (status !== 0) process.exitCode = 1;
});

/** A clone, bare or not, that has the commits. */
function repositoryOf(name: string, commits: readonly string[]): string {
  const folder = resolve(process.env.INIT_CWD ?? '.', sourceDir);
  const repository = [join(folder, name), join(folder, `${name}.git`)].find((one) => existsSync(one));
  if (repository === undefined)
    return fail(`${join(folder, name)} is missing: it is a clone of the repository of that name`);
  for (const commit of commits) {
    const found = spawnSync('git', ['-C', repository, 'cat-file', '-e', `${commit}^{commit}`]);
    if (found.status !== 0) fail(`${repository} has no commit ${commit}: git -C ${repository} fetch origin ${commit}`);
  }
  return repository;
}

function step(name: string, run: () => void): void {
  const started = Date.now();
  try {
    run();
  } catch (error) {
    fail(`native: ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  console.log(`native: ${name}: ${((Date.now() - started) / 60_000).toFixed(1)} minutes`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

function git(folder: string, ...args: readonly string[]): Buffer {
  return execFileSync('git', [...args], { cwd: folder, maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'inherit'] });
}

function extract(repository: string, commit: string, paths: readonly string[], folder: string): void {
  const archive = git(repository, 'archive', commit, ...paths);
  execFileSync('tar', ['x', '-C', folder], { input: archive });
}

function cargo(...args: readonly string[]): Buffer {
  const env = { ...process.env, CARGO_TARGET_DIR: join(WORK, 'target') };
  return execFileSync('cargo', [...args], {
    cwd: SOURCES,
    env,
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Keeps what was there before, followed by what a branch has in its place if both are wanted. */
function resolveConflicts(file: string, both: boolean): void {
  const text = readFileSync(file, 'utf8');
  const conflict = /^<{7} .*\n([\s\S]*?)^={7}\n([\s\S]*?)^>{7} .*\n/gm;
  writeFileSync(file, text.replaceAll(conflict, both ? '$1$2' : '$1'));
}

/** @throws Error unless the text is there once: a newer source is another recipe. */
function replace(file: string, text: string | RegExp, other: string): void {
  const parts = readFileSync(file, 'utf8').split(text);
  if (parts.length !== 2) fail(`${file} has ${parts.length - 1} times: ${text}`);
  writeFileSync(file, parts.join(other));
}

function replaceLine(file: string, start: string, line: string): void {
  const [found = start] = readFileSync(file, 'utf8')
    .split('\n')
    .filter((one) => one.startsWith(start));
  replace(file, found, line);
}
