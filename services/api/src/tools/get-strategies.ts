import { z } from 'zod';
import { describeAsOf } from '#reads/as-of.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { readingOfPools } from '#reads/sample-reading.ts';
import { describeStrategyCoverage, sidesOf } from '#reads/strategy-coverage.ts';
import type { StrategySnapshot } from '#reads/strategy-snapshot.ts';
import { asOfSchema, coverageSchema, nextCursorField, warningsField } from '#records/reply-fields.ts';
import { listedStrategySchema } from '#records/strategy-fields.ts';
import { type GetStrategiesInput, getStrategiesInput } from './get-strategies-input.ts';
import { keepPage } from './rendered-rows.ts';
import { renderStrategies, type StrategiesPage } from './strategies-page.ts';
import { type CallContext, defineTool, READ_ANNOTATIONS, RenderedReply, type Tool } from './tool.ts';
import { listStale, localChain, strategyPartsUnknown } from './warnings.ts';

export const getStrategiesOutput = z.strictObject({
  strategies: z.array(listedStrategySchema),
  count: z.int().describe('Strategies in this page'),
  total: z.int().describe('Strategies that match, on all pages'),
  next_cursor: nextCursorField,
  as_of: asOfSchema,
  coverage: coverageSchema,
  warnings: warningsField,
  empty_reason: z.string().optional().describe('Why no strategy is listed'),
});
type GetStrategiesOutput = z.infer<typeof getStrategiesOutput>;

/**
 * The tool that lists strategies.
 * A page is rendered once per snapshot and question, and dated anew for every answer.
 */
export function createGetStrategies(reads: ReadDeps): Tool {
  return defineTool({
    name: 'svc_get_strategies',
    title: 'Ranked strategies',
    description:
      'Ranks the loops and rate-arbitrage pairs that Project 0 allows: net APY on own capital now and over 7 days, the most leverage that ' +
      'svc_loop accepts, how much capital fits, what liquidates. The default score weighs yield, risk, room and costs; rates move. ' +
      'Use it to choose deposit_bank, borrow_bank and leverage of svc_loop. Reads stored data a few seconds old (see as_of).',
    annotations: READ_ANNOTATIONS,
    rest: { method: 'GET', path: '/v1/strategies' },
    input: getStrategiesInput,
    output: getStrategiesOutput,
    async handle(input: GetStrategiesInput, context: CallContext) {
      const snapshot = await reads.strategies.get();
      const page = await keepPage(snapshot.rendered, [context.door, input], () =>
        renderStrategies(snapshot, input, context),
      );
      return dateReply(page, snapshot, input, reads);
    },
  });
}

/** Age runs while a page is kept, so it and what it decides are made anew for every answer. */
function dateReply(
  page: StrategiesPage,
  snapshot: StrategySnapshot,
  input: GetStrategiesInput,
  deps: ReadDeps,
): RenderedReply<GetStrategiesOutput> {
  const sides = sidesOf(snapshot, page.rows);
  const reading = readingOfPools(sides);
  if (reading === null) throw new TypeError('a page was rendered from a snapshot without banks');
  const freshness = { nowMs: deps.now(), staleAfterMs: deps.staleAfterMs };
  const asOf = describeAsOf(reading, freshness.nowMs, freshness.staleAfterMs);
  const rest = {
    count: page.listed.length,
    total: page.total,
    next_cursor: page.nextCursor,
    as_of: asOf,
    coverage: describeStrategyCoverage({ ...snapshot, skipped: page.skipped }, input.venue, freshness),
    warnings: [
      ...listStale(asOf, sides, freshness),
      ...page.warnings,
      ...strategyPartsUnknown(page.rows.map(({ record }) => record)),
      ...localChain(sides),
    ],
    ...(page.listed.length === 0 && { empty_reason: EMPTY_REASON }),
  };
  const value = { strategies: [...page.listed], ...rest };
  return new RenderedReply(value, '{"strategies":', page.kept, `,${JSON.stringify(rest).slice(1)}`);
}

const EMPTY_REASON =
  'No strategy matches every filter — allowed: fewer or other filters — call without them to list all';
