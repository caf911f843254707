import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';
import { expect, it } from 'vitest';
import { FAULTS } from './faults.ts';

it('a fault or a strike that is left out of npm test names a test that npm test runs', () => {
  const strikes = readFileSync(join(import.meta.dirname, 'strikes.ts'), 'utf8');
  const faults = Object.values(FAULTS).flat();
  const named = [
    ...faults.flatMap(({ provenBy }) => provenBy ?? []),
    ...[...strikes.matchAll(/provenBy: '(.+)'/g)].map(([, name = '']) => name),
  ];
  const run = faults.filter(({ provenBy }) => provenBy === undefined).map(({ name }) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !run.includes(name) && !existsSync(join(ROOT, name)))).toEqual([]);
});
