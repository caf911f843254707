import { createHash } from 'node:crypto';
import { parseAst } from 'vitest/node';

/** One small change to the source that a test should notice. */
export interface Mutant {
  /** Names the change by what it does, not by its place, so that it is the same mutant after the file moved. */
  readonly id: string;
  /** Path from the root of the repository. */
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const BINARY: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '<<': '>>',
  '>>': '<<',
  '&': '|',
  '|': '&',
  '&&': '||',
  '||': '&&',
};
/** Words of SQL, which stands in templates tagged `sql`. */
const SQL: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '=': '<>',
  and: 'or',
  or: 'and',
  asc: 'desc',
  desc: 'asc',
  min: 'max',
  max: 'min',
  greatest: 'least',
  least: 'greatest',
};
const SQL_WORD = /(?<![\w<>=!:-])(<=|>=|<|>|=|and|or|asc|desc|min|max|greatest|least)(?![\w<>=])/g;

/** Every mutant of one source file, in the order of their places. */
export function findMutants(file: string, source: string): Mutant[] {
  const mutants: Mutant[] = [];
  const seen = new Map<string, number>();
  const add = (start: number, end: number, after: string): void => {
    const line = source.slice(0, start).split('\n').length;
    const text = source.split('\n')[line - 1]?.trim() ?? '';
    const column = start - source.lastIndexOf('\n', start - 1);
    const before = source.slice(start, end);
    const what = `${text} ${column - text.length} ${before} ${after}`;
    const nth = seen.get(what) ?? 0;
    seen.set(what, nth + 1);
    const id = createHash('sha256').update(`${what} ${nth}`).digest('hex').slice(0, 16);
    mutants.push({ id, file, line, start, end, before, after });
  };
  walk(parseAst(source, { lang: 'ts' }) as unknown as Node, source, add);
  return mutants.sort((left, right) => left.start - right.start);
}

type Add = (start: number, end: number, after: string) => void;

function walk(node: Node, source: string, add: Add): void {
  // Types are erased before anything runs.
  if (node.type.startsWith('TS') && !HOLDS_CODE.has(node.type)) return;
  mutate(node, source, add);
  for (const [field, value] of Object.entries(node)) {
    if (field === 'typeAnnotation' || field === 'typeArguments' || field === 'returnType') continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, source, add);
  }
}

const HOLDS_CODE: ReadonlySet<string> = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

function mutate(node: Node, source: string, add: Add): void {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const after = BINARY[node.operator as string];
      const [left, right] = [node.left as Node, node.right as Node];
      const joinsText = [left, right].some((side) => typeof side.value === 'string' || side.type === 'TemplateLiteral');
      if (after === undefined || (node.operator === '+' && joinsText)) return;
      const start = source.indexOf(node.operator as string, left.end);
      add(start, start + (node.operator as string).length, after);
      return;
    }
    case 'IfStatement':
    case 'ConditionalExpression': {
      const test = node.test as Node;
      add(test.start, test.end, `!(${source.slice(test.start, test.end)})`);
      return;
    }
    case 'UnaryExpression':
      if (node.operator === '!') add(node.start, node.start + 1, '');
      return;
    case 'ExpressionStatement': {
      const call = node.expression as Node;
      if (call.type === 'CallExpression' || call.type === 'AwaitExpression') add(node.start, node.end, ';');
      return;
    }
    case 'Literal':
      if (typeof node.value === 'boolean') add(node.start, node.end, String(!node.value));
      else if (typeof node.value === 'number' || typeof node.value === 'bigint')
        add(
          node.start,
          node.end,
          `(${source.slice(node.start, node.end)} + 1${typeof node.value === 'bigint' ? 'n' : ''})`,
        );
      return;
    case 'TaggedTemplateExpression': {
      const tag = node.tag as Node;
      if (!source.slice(tag.start, tag.end).startsWith('sql')) return;
      for (const text of (node.quasi as { quasis: Node[] }).quasis)
        for (const word of source.slice(text.start, text.end).matchAll(SQL_WORD)) {
          const start = text.start + word.index;
          add(start, start + word[0].length, SQL[word[0]] ?? '');
        }
      return;
    }
    default:
  }
}
