import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';
import { describe, expect, it } from 'vitest';

const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
const quoted = [
  ...new Set([...page.matchAll(/`([^`\n]+)`/g)].flatMap(([, text]) => (text === undefined ? [] : [text]))),
];
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const sources = globSync('{services,packages}/*/src/**/*.ts', {
  cwd: ROOT,
  exclude: (name) => name.endsWith('.test.ts'),
})
  .map(read)
  .join('\n');

/** Words of one kind that the page quotes. */
function ofKind(pattern: RegExp): readonly string[] {
  const found = quoted.flatMap((text) => pattern.exec(text)?.[1] ?? []);
  expect(found.length).toBeGreaterThan(3);
  return [...new Set(found)];
}

describe('docs/operations.md', () => {
  it('has every figure', () => {
    expect(page).not.toMatch(/@[A-Z0-9]+@/);
  });

  it('names settings that there are', () => {
    const known = read('.env.example') + read('docker-compose.yml');
    for (const name of ofKind(/^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)$/).filter((word) => !/__/.test(word)))
      expect(known + sources, name).toMatch(new RegExp(`\\b${name}\\b`));
  });

  it('names alarms that there are', () => {
    const rules = read('infra/prometheus/rules.yml');
    for (const name of ofKind(/^([A-Z][a-z]+(?:[A-Z][a-z]+)+)$/)) expect(rules, name).toContain(`alert: ${name}\n`);
  });

  it('names lines of the log that there are', () => {
    const events = ofKind(/^([a-z]+\.[a-z]+\.[a-z]+)$/).filter((word) => !/\.(ts|md)$/.test(word));
    // Some are put together of what an outage is of and how it stands.
    const isThere = (name: string) =>
      sources.includes(`'${name}'`) ||
      (/\.(fail|resume)$/.test(name) && sources.includes(`'${name.replace(/\.\w+$/, '')}'`));
    expect(events.filter((name) => !isThere(name))).toEqual([]);
  });

  it('names errors that there are', () => {
    const codes = read('packages/errors/src/codes.ts');
    for (const name of ofKind(/^([A-Z]+__[A-Z_]+)/)) expect(codes, name).toContain(`${name}:`);
  });

  it('names files that there are', () => {
    for (const name of ofKind(/^((?:lab|packages|infra|docs)\/[\w./-]+)$/))
      expect(globSync(name, { cwd: ROOT }), name).toEqual([name]);
    for (const [, link] of page.matchAll(/\]\(([^)#]+)\)/g))
      expect(globSync(join('docs', link ?? ''), { cwd: ROOT }), link).toHaveLength(1);
  });
});
