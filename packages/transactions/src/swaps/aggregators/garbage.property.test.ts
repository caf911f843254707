import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SWAP_FAILURES, SWAP_REFUSALS } from '../swap-reasons.ts';
import { makeFinder, makeRequest, tradeOf } from '../testing/made-aggregators.ts';
import { dflowInstructions, dflowQuote, jupiterBuild } from '../testing/wire-answers.ts';

const REASONS = new Set<string | null>([...SWAP_FAILURES, ...SWAP_REFUSALS, null]);
const RUNS = { numRuns: 400 };

/** Whatever a field may be turned into. */
const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '18446744073709551616',
    '1e999',
    '-1e-999',
    'NaN',
    '٣',
    '=',
    'A===',
    null,
    [],
    {},
    1e21,
  ),
  fc.string({ maxLength: 50 }),
);

/** One value somewhere inside replaced by junk; `at` chooses which. */
function damage(value: unknown, at: number, by: unknown): unknown {
  const paths = pathsOf(value);
  const path = paths[at % paths.length] ?? [];
  const copy = structuredClone(value) as Record<string, unknown>;
  let parent: Record<string, unknown> = copy;
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string, unknown>;
  const last = path.at(-1);
  if (last !== undefined) parent[last] = by;
  return copy;
}

function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...path, key]));
  return path.length === 0 ? below : [path, ...below];
}

/** Finds with both answering so, and looks at the names that come out. */
async function findWith(bodyOf: (path: string, own: unknown) => string, status = 200) {
  const answer = ({ path }: { path: string }, own: () => unknown) => new Response(bodyOf(path, own()), { status });
  const { finder, notices } = makeFinder({ jupiter: { answer }, dflow: { answer } });
  const tried = await finder.find(makeRequest()).then(
    (found) => found.tried,
    (error: { code: string; context: { tried: readonly { reason: string | null }[] } }) => {
      expect(['ACTION__SWAP_UNAVAILABLE', 'SWAP__UNAVAILABLE']).toContain(error.code);
      return error.context.tried;
    },
  );
  expect(tried.length).toBeGreaterThan(0);
  for (const { reason } of [...tried, ...notices]) expect(REASONS).toContain(reason);
}

describe('an aggregator that answers anything', () => {
  it('never does more than fail by a name, whatever JSON it sends, at whatever status', async () => {
    const statuses = fc.constantFrom(200, 201, 400, 401, 404, 422, 429, 500, 503);
    await fc.assert(
      fc.asyncProperty(junk, statuses, (body, status) => findWith(() => JSON.stringify(body), status)),
      RUNS,
    );
  });

  it('never does more than fail by a name, where one value of a good answer is another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(10_000), junk, (at, by) => findWith((_path, own) => JSON.stringify(damage(own, at, by)))),
      RUNS,
    );
  });

  it('never does more than fail by a name, where its text is cut off or is none', async () => {
    const texts = [
      jupiterBuild(tradeOf(1n, 150n)),
      dflowQuote(tradeOf(1n, 150n)),
      dflowInstructions(tradeOf(1n, 150n)),
    ].map((body) => JSON.stringify(body));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...texts, '<html>', ''), fc.nat(5_000), (text, length) =>
        findWith(() => text.slice(0, length)),
      ),
      RUNS,
    );
  });
});
