import type { GraphQLObjectType } from 'graphql';
import type { BankEntry } from '#reads/bank-snapshot.ts';
import { type BankFilter, listBanks } from '#reads/list-banks.ts';
import type { PoolSort } from '#reads/pool-order.ts';
import { type Coverage, coverageSchema } from '#records/reply-fields.ts';
import { CALL_NAME, type GraphqlContext } from '../context.ts';
import { type AboutAnswer, answerFields } from '../pages/answer-fields.ts';
import { listConnection, mapConnection } from '../pages/connection.ts';
import { type Connection, createConnectionType } from '../pages/connection-type.ts';
import { type Filter, givenOf } from '../pages/filter-input.ts';
import type { PageInput } from '../pages/page-input.ts';
import type { RecordTypes } from '../schema/record-types.ts';
import { describePools } from './pool-answer.ts';
import { poolPlaces } from './pool-order.ts';
import { bankSnapshot } from './pool-snapshots.ts';

/** A page of banks, with what it covers and how old it is. */
export function bankConnectionType(types: RecordTypes, bank: GraphQLObjectType): GraphQLObjectType {
  return createConnectionType({
    node: bank,
    hasTotalCount: true,
    fields: answerFields(types, 'BankCoverage', coverageSchema),
  });
}

interface BanksArgs extends PageInput {
  readonly filter?: Filter<BankFilter> | null;
  readonly orderBy: PoolSort;
}

interface BankConnection extends Connection<BankEntry['record']>, AboutAnswer<Coverage> {
  readonly totalCount: number;
}

/**
 * @throws DATA__NOT_READY before the first bank was projected.
 * @throws TOOL__INPUT_INVALID naming the argument of the page that is not allowed.
 */
export async function resolveBanks(_root: unknown, args: BanksArgs, context: GraphqlContext): Promise<BankConnection> {
  const snapshot = await context.once(bankSnapshot);
  const filter = givenOf<BankFilter>(args.filter);
  const sort = args.orderBy;
  const found = listBanks(snapshot, { filter, sort, limit: snapshot.entries.size, after: null, callName: CALL_NAME });
  const question = ['banks', filter, sort];
  const page = listConnection({ rows: found.entries, input: args, question, ...poolPlaces<BankEntry>(sort) });
  const shown = page.edges.map(({ node }) => node);
  const all = [...snapshot.entries.values()];
  const about = describePools({ shown, all, venues: snapshot.venues, venue: filter.venue }, context);
  if (about === null) throw new TypeError('banks were listed from a snapshot without banks');
  return {
    ...mapConnection(page, ({ record }) => record),
    totalCount: page.totalCount,
    ...about,
    coverage: {
      ...about.coverage,
      banks_skipped: [...found.skipped],
      complete: about.coverage.venues_missing.length === 0 && found.skipped.length === 0,
    },
  };
}
