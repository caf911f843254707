import { GraphQLEnumType, type GraphQLObjectType } from 'graphql';
import { z } from 'zod';
import { describeAsOf } from '#reads/as-of.ts';
import { listStrategies, type StrategyFilter } from '#reads/list-strategies.ts';
import { readingOfPools } from '#reads/sample-reading.ts';
import { describeStrategyCoverage, sidesOf } from '#reads/strategy-coverage.ts';
import { compareStrategyKeys, STRATEGY_SORTS, type StrategySort, strategyKeyOf } from '#reads/strategy-order.ts';
import type { StrategyEntry, StrategySnapshot } from '#reads/strategy-snapshot.ts';
import { describeTarget } from '#reads/strategy-target.ts';
import { type Coverage, coverageSchema } from '#records/reply-fields.ts';
import type { StrategyRecord } from '#records/strategy-fields.ts';
import { addressText } from '#tools/input-field.ts';
import { invalid } from '#tools/parse-input.ts';
import { listStale, localChain, strategyPartsUnknown } from '#tools/warnings.ts';
import { CALL_NAME, type GraphqlContext } from '../context.ts';
import { type AboutAnswer, answerFields } from '../pages/answer-fields.ts';
import { listConnection, mapConnection } from '../pages/connection.ts';
import { type Connection, createConnectionType } from '../pages/connection-type.ts';
import { type Filter, givenOf } from '../pages/filter-input.ts';
import type { PageInput } from '../pages/page-input.ts';
import { toGraphqlName } from '../schema/field-name.ts';
import type { RecordTypes } from '../schema/record-types.ts';

export const strategyOrderType = new GraphQLEnumType({
  name: 'StrategyOrder',
  description: 'Largest first, breakEvenDays smallest first; unknown last',
  values: Object.fromEntries(STRATEGY_SORTS.map((sort) => [toGraphqlName(sort), { value: sort }])),
});

/** A page of strategies, with what it covers and how old it is. */
export function strategyConnectionType(types: RecordTypes, strategy: GraphQLObjectType): GraphQLObjectType {
  return createConnectionType({
    node: strategy,
    hasTotalCount: true,
    fields: answerFields(types, 'BankCoverage', coverageSchema),
  });
}

/** For `context.once`: all fields of one answer see the same strategies. */
function strategySnapshot({ reads }: GraphqlContext): Promise<StrategySnapshot> {
  return reads.strategies.get();
}

export interface StrategiesArgs extends PageInput {
  readonly filter?: Filter<StrategyFilter> | null;
  readonly orderBy: StrategySort;
  /** In hundredths: read from the argument. */
  readonly targetHundredths?: bigint | undefined;
}

interface StrategyConnection extends Connection<StrategyRecord>, AboutAnswer<Coverage> {
  readonly totalCount: number;
}

const position = z.tuple([z.number().nullable(), addressText, addressText]);

/**
 * Strategies that match, a page of them. `only` narrows them further, to those of a bank.
 * @throws DATA__NOT_READY before the first bank was measured.
 * @throws TOOL__INPUT_INVALID naming the argument of the page that is not allowed.
 */
export async function resolveStrategies(
  args: StrategiesArgs,
  context: GraphqlContext,
  only: { readonly address: string; readonly side: 'lend' | 'borrow' } | null,
): Promise<StrategyConnection> {
  const snapshot = await context.once(strategySnapshot);
  const { orderBy: sort, targetHundredths } = args;
  const filter = { ...givenOf<StrategyFilter>(args.filter), reachesHundredths: targetHundredths };
  atLeast(0, filter.minSizeUsd, 'minSizeUsd');
  atLeast(1, filter.maxLeverage, 'maxLeverage');
  const limit = snapshot.strategies.length;
  const found = listStrategies(snapshot, { filter, sort, limit, after: null, callName: CALL_NAME });
  const rows = found.entries.filter((entry) => only === null || sideOf(entry, only.side) === only.address);
  const page = listConnection({
    rows,
    input: args,
    question: ['strategies', { ...filter, reachesHundredths: String(targetHundredths) }, sort, only],
    position,
    positionOf: ({ strategy }: StrategyEntry) => {
      const { value, supply, borrow } = strategyKeyOf(strategy, sort);
      return [value, supply, borrow] as [number | null, string, string];
    },
    compare: ([a, aSupply, aBorrow], [b, bSupply, bBorrow]) =>
      compareStrategyKeys(
        { value: a, supply: aSupply, borrow: aBorrow },
        { value: b, supply: bSupply, borrow: bBorrow },
        sort,
      ),
  });
  const shown = page.edges.map(({ node }) => node);
  return {
    ...mapConnection(page, (entry) => shownAt(entry, targetHundredths)),
    totalCount: page.totalCount,
    ...describeAnswer(snapshot, shown, filter, context),
  };
}

function atLeast(least: number, value: number | undefined, field: string): void {
  if (value === undefined || value >= least) return;
  const allowed = `a number, ${least} or more`;
  throw invalid(`${field} has a value that is not allowed`, allowed, CALL_NAME, { field, allowed });
}

function sideOf({ strategy }: StrategyEntry, side: 'lend' | 'borrow'): string {
  return side === 'lend' ? strategy.supply.address : strategy.borrow.address;
}

function shownAt(entry: StrategyEntry, leverageHundredths: bigint | undefined): StrategyRecord {
  if (leverageHundredths === undefined) return entry.record;
  return { ...entry.record, at_target: describeTarget(entry, { leverageHundredths, amountUi: null }) };
}

function describeAnswer(
  snapshot: StrategySnapshot,
  shown: readonly StrategyEntry[],
  { venue }: StrategyFilter,
  { reads }: GraphqlContext,
): AboutAnswer<Coverage> {
  const sides = sidesOf(snapshot, shown);
  const freshness = { nowMs: reads.now(), staleAfterMs: reads.staleAfterMs };
  const reading = readingOfPools(sides);
  if (reading === null) throw new TypeError('strategies were listed from a snapshot without banks');
  const asOf = describeAsOf(reading, freshness.nowMs, freshness.staleAfterMs);
  return {
    asOf,
    coverage: describeStrategyCoverage(snapshot, venue, freshness),
    warnings: [
      ...listStale(asOf, sides, freshness),
      ...strategyPartsUnknown(shown.map(({ record }) => record)),
      ...localChain(sides),
    ],
  };
}
