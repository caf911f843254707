import { LendingError } from '@lending/errors';
import type { GraphQLObjectType } from 'graphql';
import { listReserves, type ReserveFilter } from '#reads/list-reserves.ts';
import type { PoolSort } from '#reads/pool-order.ts';
import type { ReserveEntry } from '#reads/reserve-snapshot.ts';
import { type ReserveCoverage, reserveCoverageSchema } from '#records/reply-fields.ts';
import { describePools } from '../banks/pool-answer.ts';
import { poolPlaces } from '../banks/pool-order.ts';
import { reserveSnapshot } from '../banks/pool-snapshots.ts';
import type { GraphqlContext } from '../context.ts';
import { type AboutAnswer, answerFields } from '../pages/answer-fields.ts';
import { listConnection, mapConnection } from '../pages/connection.ts';
import { type Connection, createConnectionType } from '../pages/connection-type.ts';
import { type Filter, givenOf } from '../pages/filter-input.ts';
import type { PageInput } from '../pages/page-input.ts';
import type { RecordTypes } from '../schema/record-types.ts';

/** A page of reserves, with what it covers and how old it is. */
export function reserveConnectionType(types: RecordTypes, reserve: GraphQLObjectType): GraphQLObjectType {
  return createConnectionType({
    node: reserve,
    hasTotalCount: true,
    fields: answerFields(types, 'ReserveCoverage', reserveCoverageSchema),
  });
}

interface ReservesArgs extends PageInput {
  readonly filter?: Filter<ReserveFilter> | null;
  readonly orderBy: PoolSort;
}

interface ReserveConnection extends Connection<ReserveEntry['record']>, AboutAnswer<ReserveCoverage> {
  readonly totalCount: number;
}

/**
 * @throws DATA__NOT_READY before the first reserve was read.
 * @throws TOOL__INPUT_INVALID naming the argument of the page that is not allowed.
 */
export async function resolveReserves(
  _root: unknown,
  args: ReservesArgs,
  context: GraphqlContext,
): Promise<ReserveConnection> {
  const snapshot = await context.once(reserveSnapshot);
  const filter = givenOf<ReserveFilter>(args.filter);
  const sort = args.orderBy;
  const found = listReserves(snapshot, { filter, sort, limit: snapshot.entries.size, after: null });
  const question = ['reserves', filter, sort];
  const page = listConnection({ rows: found.entries, input: args, question, ...poolPlaces<ReserveEntry>(sort) });
  const shown = page.edges.map(({ node }) => node);
  const all = [...snapshot.entries.values()];
  const about = describePools({ shown, all, venues: snapshot.venues, venue: filter.venue }, context);
  if (about === null) {
    throw new LendingError('DATA__NOT_READY', {
      message:
        'No reserve has been read from the chain yet — allowed: any query once a venue was read, see status — send it again in a few seconds',
    });
  }
  return {
    ...mapConnection(page, ({ record }) => record),
    totalCount: page.totalCount,
    ...about,
    coverage: {
      ...about.coverage,
      reserves_skipped: [...found.skipped],
      complete: about.coverage.venues_missing.length === 0 && found.skipped.length === 0,
    },
  };
}
