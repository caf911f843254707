import type { GraphQLObjectType } from 'graphql';
import { describeAsOf } from '#reads/as-of.ts';
import type { BankEntry } from '#reads/bank-snapshot.ts';
import { type BankFilter, listBanks } from '#reads/list-banks.ts';
import type { PoolSort } from '#reads/pool-order.ts';
import { readingOfPools } from '#reads/sample-reading.ts';
import { describeVenues } from '#reads/venue-coverage.ts';
import { type Coverage, coverageSchema } from '#records/reply-fields.ts';
import { LOCAL_CHAIN, listStale, ratePartsUnknown } from '#tools/warnings.ts';
import { CALL_NAME, type GraphqlContext } from '../context.ts';
import { type AboutAnswer, answerFields } from '../pages/answer-fields.ts';
import { listConnection, mapConnection } from '../pages/connection.ts';
import { type Connection, createConnectionType } from '../pages/connection-type.ts';
import { type Filter, givenOf } from '../pages/filter-input.ts';
import type { PageInput } from '../pages/page-input.ts';
import type { RecordTypes } from '../schema/record-types.ts';
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
  // An empty page is an answer too: about all banks there are.
  const entries = shown.length > 0 ? shown : [...snapshot.entries.values()];
  const freshness = { nowMs: context.reads.now(), staleAfterMs: context.reads.staleAfterMs };
  const reading = readingOfPools(entries);
  if (reading === null) throw new TypeError('banks were listed from a snapshot without banks');
  const asOf = describeAsOf(reading, freshness.nowMs, freshness.staleAfterMs);
  const venues = describeVenues(snapshot.venues, filter.venue, freshness);
  return {
    ...mapConnection(page, ({ record }) => record),
    totalCount: page.totalCount,
    asOf,
    coverage: {
      ...venues,
      banks_skipped: [...found.skipped],
      complete: venues.venues_missing.length === 0 && found.skipped.length === 0,
    },
    warnings: [
      ...listStale(asOf, entries, freshness),
      ...ratePartsUnknown(shown.map(({ record }) => record)),
      ...(reading.source === 'localnet' ? [LOCAL_CHAIN] : []),
    ],
  };
}
