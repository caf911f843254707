import DataLoader from 'dataloader';
import { GraphQLEnumType, GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType } from 'graphql';
import { type HistoryPage, type HistorySubject, mostPointsOf, readHistoryPages } from '#reads/rate-history.ts';
import { venueOf } from '#reads/venue-of.ts';
import type { Bank } from '#records/bank-fields.ts';
import { historyPointSchema, INTERVALS, type Interval, ROLLED_FROM } from '#records/history-fields.ts';
import type { Reserve } from '#records/reserve-fields.ts';
import { invalid } from '#tools/parse-input.ts';
import { bankSnapshot } from '../banks/pool-snapshots.ts';
import { CALL_NAME, type GraphqlContext } from '../context.ts';
import { costs, type FieldCost } from '../limits/field-cost.ts';
import { type Fields, type RecordTypes, toEnumName } from '../schema/record-types.ts';
import { DateTime } from '../schema/scalars.ts';

/** Adds the histories of banks and reserves; both are reached from their pools, many in one answer. */
export function historyFields(types: RecordTypes): Fields {
  const history = historyType(types);
  const field = {
    type: new GraphQLNonNull(history),
    description:
      'Rates, sizes and price over time, oldest first. A bucket of which nothing is known is a gap with nulls',
    args: {
      interval: { type: new GraphQLNonNull(intervalType), defaultValue: '1h' },
      start: {
        type: DateTime,
        description:
          'First bucket, inclusive, not in the future. Default: 1 hour (1m), 7 days (1h), 90 days (1d) before end',
      },
      end: { type: DateTime, description: 'Up to here, exclusive, later than start. Default: the newest data' },
    },
    ...costs(HISTORY_COST),
  };
  types.extend('Bank', () => ({
    history: {
      ...field,
      resolve: (bank: Bank, args: HistoryArgs, context: GraphqlContext) =>
        loadHistory(
          {
            address: bank.address,
            venue: venueOf(bank.venue),
            mint: bank.mint,
            decimals: bank.decimals,
            hasBorrowers: bank.venue === 'P0',
          },
          args,
          context,
        ),
    },
  }));
  types.extend('Reserve', () => ({
    history: {
      ...field,
      resolve: (reserve: Reserve, args: HistoryArgs, context: GraphqlContext) =>
        loadHistory(
          {
            address: reserve.address,
            venue: venueOf(reserve.venue),
            mint: reserve.mint,
            decimals: reserve.decimals,
            hasBorrowers: true,
          },
          args,
          context,
        ),
    },
  }));
  return {};
}

export const intervalType = new GraphQLEnumType({
  name: 'Interval',
  description:
    'Length of a bucket: a minute, an hour, a day (UTC). At most 24 hours of minutes and 90 days of hours an answer',
  values: Object.fromEntries(INTERVALS.map((interval) => [toEnumName(interval), { value: interval }])),
});

interface HistoryArgs {
  readonly interval: Interval;
  readonly start?: Date | null;
  readonly end?: Date | null;
}

/** The points of the range, before anything is known of how far back there are any. */
const HISTORY_COST: FieldCost = {
  times: (args) => mostPointsOf(rangeOf(args as unknown as HistoryArgs), Date.now()),
  own: 100,
};

function rangeOf({ interval, start, end }: HistoryArgs) {
  return { interval, startMs: start?.getTime(), endMs: end?.getTime() };
}

function historyType(types: RecordTypes): GraphQLObjectType {
  const point = types.object('HistoryPoint', historyPointSchema, 'One bucket');
  const rolledFrom = types.enum('RolledFrom', ROLLED_FROM);
  return new GraphQLObjectType({
    name: 'RateHistory',
    description: 'The history of a bank or reserve',
    fields: {
      interval: { type: new GraphQLNonNull(intervalType) },
      points: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(point))), description: 'Oldest first' },
      gapCount: {
        type: new GraphQLNonNull(GraphQLInt),
        description: 'Points of which nothing is known',
        resolve: ({ points }: HistoryPage) => points.filter(({ gap }) => gap).length,
      },
      firstAvailable: {
        type: DateTime,
        description: 'Start of what there is at this interval; earlier points do not exist',
        resolve: ({ first }: HistoryPage) => first,
      },
      lastAvailable: {
        type: DateTime,
        description: 'Time of the newest sample',
        resolve: ({ last }: HistoryPage) => last,
      },
      rolledFrom: {
        type: new GraphQLNonNull(rolledFrom),
        description: 'What the oldest point is made from: samples (raw), or hours or days that were stored',
      },
      nextStart: {
        type: DateTime,
        description: 'Ask again with it as start for what did not fit; null where all did',
        resolve: ({ nextStartMs }: HistoryPage) => (nextStartMs === null ? null : new Date(nextStartMs)),
      },
    },
  });
}

type LoadedHistory = HistoryPage & { readonly interval: Interval };

async function loadHistory(
  subject: HistorySubject,
  args: HistoryArgs,
  { reads, once }: GraphqlContext,
): Promise<LoadedHistory> {
  const { chainTimeMs } = await once(bankSnapshot);
  const { startMs, endMs } = rangeOf(args);
  if (startMs !== undefined && startMs > Math.max(reads.now(), chainTimeMs)) {
    throw invalid('start lies in the future', 'a start that is not later than now', CALL_NAME, { field: 'start' });
  }
  if (startMs !== undefined && endMs !== undefined && endMs <= startMs) {
    throw invalid('end is not after start', 'an end later than start', CALL_NAME, { field: 'end' });
  }
  const page = await once(historyLoader).load({ subject, interval: args.interval, startMs, endMs, chainTimeMs });
  return { ...page, interval: args.interval };
}

interface HistoryQuestion {
  readonly subject: HistorySubject;
  readonly interval: Interval;
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  readonly chainTimeMs: number;
}

/** For `context.once`: all that are asked the same range are read in two statements. */
function historyLoader({ reads }: GraphqlContext) {
  const same = ({ interval, startMs, endMs }: HistoryQuestion) => JSON.stringify([interval, startMs, endMs]);
  return new DataLoader<HistoryQuestion, HistoryPage, string>(
    async (questions) => {
      const groups = Map.groupBy(questions, same);
      const pages = new Map<HistoryQuestion, HistoryPage>();
      await Promise.all(
        [...groups.values()].map(async (group) => {
          const { subject: _subject, ...range } = group[0] as HistoryQuestion;
          const found = await readHistoryPages(
            reads.store,
            group.map(({ subject }) => subject),
            { ...range, nowMs: reads.now() },
          );
          for (const [index, question] of group.entries()) pages.set(question, found[index] as HistoryPage);
        }),
      );
      return questions.map((question) => pages.get(question) as HistoryPage);
    },
    { cacheKeyFn: (question) => `${question.subject.address} ${same(question)}` },
  );
}
