import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Prints how many lines are tracked, per folder and kind; with `--write` into docs/architecture.md. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = 'docs/architecture.md';
const TYPESCRIPT = ['.ts', '.tsx'];
const COUNTED = [...TYPESCRIPT, '.js', '.mjs', '.json', '.sql'];
/** What npm and the tests write, and bytes of the chain: no reader takes it line by line. */
const WRITTEN_BY_TOOLS = /(^|\/)package-lock\.json$|\/__snapshots__\/|(?<!^lab)\/fixtures\//;
const KINDS = ['product', 'lab', 'tests', 'other'] as const;
type Kind = (typeof KINDS)[number];
const KIND_TITLES: Readonly<Record<Kind, string>> = {
  product: 'Product',
  lab: 'Lab: what proves the product',
  tests: 'Tests',
  other: '.js, .mjs, .json and .sql of all of them',
};
const IS_TEST = /\.(test|test-d|contract|bench)\.tsx?$|(^|\/)contracts?\//;
const IS_LAB = /^(lab|examples|clients)\/|\/testing\//;

interface Count {
  readonly files: number;
  readonly lines: number;
  /** Lines that hold nothing but a comment. */
  readonly comments: number;
}

/** A workspace, or a folder of the root. */
const folderOf = (path: string): string => {
  const [first = '', second = '', third = ''] = path.split('/');
  if (!path.includes('/')) return '.';
  if (first === 'lab' && second === 'fixtures') return `${first}/${second}/${third}`;
  return ['packages', 'services', 'lab'].includes(first) ? `${first}/${second}` : first;
};

function kindOf(path: string): Kind {
  if (!TYPESCRIPT.includes(extname(path))) return 'other';
  if (IS_TEST.test(path)) return 'tests';
  return IS_LAB.test(path) ? 'lab' : 'product';
}

function countOf(path: string): Count {
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  let comments = 0;
  let isInBlock = false;
  for (const line of lines) {
    const text = line.trim();
    if (isInBlock || /^(\/\/|\/\*)/.test(text) || (path.endsWith('.sql') && text.startsWith('--'))) comments += 1;
    if (!isInBlock) isInBlock = text.startsWith('/*');
    if (isInBlock && text.includes('*/')) isInBlock = false;
  }
  return { files: 1, lines: lines.length, comments };
}

const NONE: Count = { files: 0, lines: 0, comments: 0 };
const sum = (counts: readonly Count[]): Count =>
  counts.reduce(
    (all, one) => ({
      files: all.files + one.files,
      lines: all.lines + one.lines,
      comments: all.comments + one.comments,
    }),
    NONE,
  );

const shown = (count: number): string => count.toLocaleString('en-US');
const rowOf = (name: string, { files, lines, comments }: Count): string => {
  const share = lines === 0 ? '' : `${((100 * comments) / lines).toFixed(1)} %`;
  return `| ${name} | ${shown(files)} | ${shown(lines)} | ${shown(comments)} | ${share} |`;
};

function render(): string {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const counted = tracked
    .filter((path) => COUNTED.includes(extname(path)) && !WRITTEN_BY_TOOLS.test(path))
    .map((path) => ({ folder: folderOf(path), kind: kindOf(path), count: countOf(path) }));
  const rows = KINDS.flatMap((kind) => {
    const ofKind = counted.filter((one) => one.kind === kind);
    const folders = [...new Set(ofKind.map(({ folder }) => folder))].sort();
    return [
      rowOf(`**${KIND_TITLES[kind]}**`, sum(ofKind.map(({ count }) => count))),
      ...folders.map((folder) =>
        rowOf(`\`${folder}\``, sum(ofKind.filter((one) => one.folder === folder).map(({ count }) => count))),
      ),
    ];
  });
  return ['| folder | files | lines | comments | share |', '|---|---:|---:|---:|---:|', ...rows].join('\n');
}

const table = render();
if (process.argv.includes('--write')) {
  const page = join(ROOT, PAGE);
  const before = readFileSync(page, 'utf8');
  const after = before.replace(/(<!-- lines -->\n)[\s\S]*?(<!-- \/lines -->)/, `$1${table}\n$2`);
  if (after === before && !before.includes(table)) throw new Error(`${PAGE} has no place for the table`);
  writeFileSync(page, after);
} else console.log(table);
