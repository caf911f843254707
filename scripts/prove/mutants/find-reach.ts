import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { parseAst } from 'vitest/node';

interface Use {
  readonly from: string;
  /** `undefined` when the whole module is used. */
  readonly name: string | undefined;
}

interface Module {
  readonly uses: readonly Use[];
  /** What it only hands on: its own name for it → where it comes from. */
  readonly handsOn: ReadonlyMap<string, Use>;
}

interface Statement {
  readonly type: string;
  readonly importKind?: string;
  readonly exportKind?: string;
  readonly source?: { readonly value: string } | null;
  readonly specifiers?: readonly Specifier[];
}

interface Specifier {
  readonly type: string;
  readonly importKind?: string;
  readonly exportKind?: string;
  readonly imported?: { readonly name: string };
  readonly local: { readonly name: string };
  readonly exported?: { readonly name: string };
}

/**
 * Which test files reach a source file, nearest first.
 * An import through an index counts as an import of the file that has the name, so that a test reaches what it uses and not all that
 * stands in the same index.
 *
 * @param files all source and test files, by path from `root`
 * @returns for a source file, the tests that reach it, those first that cost least for what they say
 */
export function findReach(root: string, files: readonly string[]): (file: string) => string[] {
  const modules = new Map(files.map((file) => [file, readModule(root, file)]));
  const importers = new Map<string, Set<string>>();
  for (const [file, { uses }] of modules)
    for (const use of uses)
      for (const target of findDefinitions(modules, use)) {
        const known = importers.get(target);
        if (known === undefined) importers.set(target, new Set([file]));
        else known.add(file);
      }
  return (file) => {
    const distance = new Map([[file, 0]]);
    const queue = [file];
    for (const reached of queue)
      for (const importer of [...(importers.get(reached) ?? [])].sort()) {
        if (distance.has(importer)) continue;
        distance.set(importer, (distance.get(reached) ?? 0) + 1);
        queue.push(importer);
      }
    const room = file.split('/').slice(0, 2).join('/');
    // The test of the same name first; then units, then what starts a chain or a database, and the other packages' last, which cost most.
    const rank = (test: string): number => {
      if (test.startsWith(file.replace(/ts$/, ''))) return 0;
      const isOwn = test.startsWith(`${room}/`);
      return (distance.get(test) ?? 0) + (isOwn ? 0 : 2_000) + (test.includes('.integration.') ? 1_000 : 0);
    };
    return queue.filter((reached) => reached.endsWith('.test.ts')).sort((left, right) => rank(left) - rank(right));
  };
}

function findDefinitions(modules: ReadonlyMap<string, Module>, { from, name }: Use): string[] {
  const module = modules.get(from);
  if (module === undefined) return [];
  if (name === undefined)
    return [from, ...[...module.handsOn.values()].flatMap((use) => findDefinitions(modules, use))];
  const origin = module.handsOn.get(name);
  return origin === undefined ? [from] : findDefinitions(modules, origin);
}

function readModule(root: string, file: string): Module {
  const path = join(root, file);
  const source = readFileSync(path, 'utf8');
  const require = createRequire(path);
  const resolve = (specifier: string): string | undefined => {
    if (!/^(\.|#|@lending\/)/.test(specifier)) return undefined;
    try {
      return relative(root, require.resolve(specifier));
    } catch {
      // Files that a program makes before it imports them.
      return undefined;
    }
  };
  const uses: Use[] = [];
  const handsOn = new Map<string, Use>();
  const imported = new Map<string, Use>();
  for (const statement of parseAst(source, { lang: 'ts' }).body as unknown as Statement[]) {
    const from = statement.source == null ? undefined : resolve(statement.source.value);
    if (statement.importKind === 'type' || statement.exportKind === 'type') continue;
    if (statement.type === 'ImportDeclaration' && from !== undefined) {
      if (statement.specifiers?.length === 0) uses.push({ from, name: undefined });
      for (const specifier of statement.specifiers ?? []) {
        if (specifier.importKind === 'type') continue;
        const use = { from, name: specifier.imported?.name };
        uses.push(use);
        imported.set(specifier.local.name, use);
      }
    }
    if (statement.type === 'ExportNamedDeclaration')
      for (const specifier of statement.specifiers ?? []) {
        const origin = from === undefined ? imported.get(specifier.local.name) : { from, name: specifier.local.name };
        if (origin !== undefined && specifier.exported !== undefined) handsOn.set(specifier.exported.name, origin);
      }
  }
  for (const [, specifier] of source.matchAll(/\bimport\(\s*'([^']+)'/g)) {
    const from = resolve(specifier ?? '');
    if (from !== undefined) uses.push({ from, name: undefined });
  }
  return { uses, handsOn };
}
