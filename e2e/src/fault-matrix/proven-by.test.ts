import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';
import { expect, it } from 'vitest';
import { AGGREGATOR_CELLS } from './aggregator-cells.ts';
import { KAFKA_CELLS } from './kafka-cells.ts';
import { NODE_ANSWER_CELLS } from './node-answer-cells.ts';
import { NODE_CELLS } from './node-cells.ts';
import { NODE_LIE_CELLS } from './node-lie-cells.ts';
import { POSTGRES_CELLS } from './postgres-cells.ts';
import { PUBSUB_CELLS } from './pubsub-cells.ts';

const CELLS = [
  ...NODE_ANSWER_CELLS,
  ...NODE_LIE_CELLS,
  ...AGGREGATOR_CELLS,
  ...NODE_CELLS,
  ...PUBSUB_CELLS,
  ...KAFKA_CELLS,
  ...POSTGRES_CELLS,
];

it('a cell or a strike that is left out of npm test names a test that npm test runs', () => {
  const chaos = readFileSync(join(import.meta.dirname, '../chaos/faults.ts'), 'utf8');
  const named = [
    ...CELLS.flatMap(({ provenBy }) => provenBy ?? []),
    ...[...chaos.matchAll(/provenBy: '(.+)'/g)].map(([, name = '']) => name),
  ];
  const run = CELLS.filter(({ provenBy }) => provenBy === undefined).map(({ name }) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !run.includes(name) && !existsSync(join(ROOT, name)))).toEqual([]);
});
