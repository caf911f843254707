import { VENUES_ON_WIRE } from '@lending/domain';
import { LendingError } from '@lending/errors';
import { z } from 'zod';
import { describeAsOf } from '#reads/as-of.ts';
import { listReserves, type ReserveFilter } from '#reads/list-reserves.ts';
import { POOL_SORTS, sortKeyOf } from '#reads/pool-order.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { readingOfPools } from '#reads/sample-reading.ts';
import { describeVenues } from '#reads/venue-coverage.ts';
import {
  asOfSchema,
  nextCursorField,
  reserveCoverageSchema,
  venueField,
  warningsField,
} from '#records/reply-fields.ts';
import { type ListedReserve, listedReserveSchema, RESERVE_FIELD_NAMES } from '#records/reserve-fields.ts';
import { anyCase, taking } from './accepted-json.ts';
import { CURSOR_ALLOWED } from './cursor.ts';
import {
  ADDRESS_ALLOWED,
  addressText,
  inputField,
  nameList,
  numberOrText,
  trueOrFalse,
  venueInput,
  wordOf,
} from './input-field.ts';
import { readPoolCursor, writePoolCursor } from './pool-cursor.ts';
import { assertFields, selectFields } from './select-fields.ts';
import { type CallContext, defineOperation, type Operation } from './tool.ts';
import { LOCAL_CHAIN, listStale, ratePartsUnknown } from './warnings.ts';

const MAX_LIMIT = 500;
const VENUES_WITH_RESERVES = VENUES_ON_WIRE.filter((venue) => venue !== 'P0').join(', ');

/** A venue however the caller wrote it, but P0: its pools are banks. */
const reserveVenueInput = taking(
  venueInput.pipe(venueField.exclude(['P0'])),
  anyCase(
    VENUES_ON_WIRE.filter((venue) => venue !== 'P0'),
    ['save'],
  ),
);

const input = z.strictObject({
  venue: inputField(reserveVenueInput, 'Only this venue; save means Solend, P0 has none', VENUES_WITH_RESERVES),
  mint: inputField(addressText, 'Only reserves of this token mint', ADDRESS_ALLOWED),
  symbol: inputField(
    z.string().min(1).max(32),
    'Token symbol, whole, any case; several reserves may share one',
    'a symbol of 1 to 32 characters',
  ),
  market: inputField(addressText, 'Only reserves of this market', ADDRESS_ALLOWED),
  reached: inputField(
    trueOrFalse,
    'true: only reserves that a P0 bank lends through; false: only those that none does',
    'true or false',
  ),
  sort: inputField(
    wordOf(POOL_SORTS),
    'Order: largest first, but cheapest first by total_borrow_apy_pct and A first by symbol; unknown last. Default deposits_usd',
    POOL_SORTS.join(', '),
  ),
  limit: inputField(
    numberOrText(z.int().min(1).max(MAX_LIMIT)),
    `Reserves a page. Default ${MAX_LIMIT}`,
    `a whole number from 1 to ${MAX_LIMIT}`,
  ),
  cursor: inputField(
    z.string().max(400),
    'next_cursor of the page before, with the same filters and sort',
    CURSOR_ALLOWED,
  ),
  fields: inputField(
    nameList(RESERVE_FIELD_NAMES),
    'Only these fields of each reserve, such as symbol, rates, rates.utilization_pct, size.deposits_usd',
    'names of reserve fields, dotted below rates, size and limits',
  ),
});

export const getReservesOutput = z.strictObject({
  reserves: z.array(listedReserveSchema),
  count: z.int().describe('Reserves in this page'),
  next_cursor: nextCursorField,
  as_of: asOfSchema,
  coverage: reserveCoverageSchema,
  warnings: warningsField,
  empty_reason: z.string().optional().describe('Why no reserve is listed'),
});

/** The venues' pools, whether or not P0 reaches them. */
export function createGetReserves(reads: ReadDeps): Operation {
  return defineOperation({
    name: 'get_reserves',
    title: "The venues' pools",
    description:
      'Lists the pools of Kamino, Drift, Solend (Save) and JupLend with live rates, sizes and limits, those that no P0 bank reaches too, ' +
      'each with the P0 banks that lend through it. Rates are percent APY, money is USD or UI tokens, null is unknown.',
    rest: { method: 'GET', path: '/v1/reserves' },
    input,
    output: getReservesOutput,
    async handle(query: z.infer<typeof input>, { callName }: CallContext) {
      if (query.fields !== undefined) assertFields(query.fields, RESERVE_FIELD_NAMES, callName);
      const { venue, mint, symbol, market, reached } = query;
      const filter: ReserveFilter = { venue, mint, symbol, market, reached };
      const sort = query.sort ?? 'deposits_usd';
      const question = [filter, sort];
      const after = readPoolCursor(query.cursor, sort, question, callName);
      const snapshot = await reads.reserves.get();
      const page = listReserves(snapshot, { filter, sort, limit: query.limit ?? MAX_LIMIT, after });
      // An empty page is an answer too: about all reserves there are.
      const entries = page.entries.length > 0 ? page.entries : [...snapshot.entries.values()];
      const reading = readingOfPools(entries);
      if (reading === null) throw notReady(callName);
      const freshness = { nowMs: reads.now(), staleAfterMs: reads.staleAfterMs };
      const asOf = describeAsOf(reading, freshness.nowMs, freshness.staleAfterMs);
      const venues = describeVenues(snapshot.venues, venue, freshness);
      const last = page.entries.at(-1);
      return {
        reserves: page.entries.map(
          ({ record }): ListedReserve =>
            query.fields === undefined ? record : selectFields(record, query.fields, ['address']),
        ),
        count: page.entries.length,
        next_cursor:
          last !== undefined && page.hasMore ? writePoolCursor(sortKeyOf(last.record, sort), question) : null,
        as_of: asOf,
        coverage: {
          ...venues,
          reserves_skipped: [...page.skipped],
          complete: venues.venues_missing.length === 0 && page.skipped.length === 0,
        },
        warnings: [
          ...listStale(asOf, entries, freshness),
          ...ratePartsUnknown(page.entries.map(({ record }) => record)),
          ...(reading.source === 'localnet' ? [LOCAL_CHAIN] : []),
        ],
        ...(page.entries.length === 0 && { empty_reason: EMPTY_REASON }),
      };
    },
  });
}

const EMPTY_REASON =
  'No reserve matches every filter — allowed: fewer or other filters — call without them to list all';

function notReady(callName: string): LendingError {
  return new LendingError('DATA__NOT_READY', {
    message: `No reserve has been read from the chain yet — allowed: any call once a venue was read, see GET /v1/status — call ${callName} again in a few seconds`,
  });
}
