import { z } from 'zod';
import { describeAsOf } from '#reads/as-of.ts';
import type { BankSnapshot } from '#reads/bank-snapshot.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { readingOfPools } from '#reads/sample-reading.ts';
import { describeVenues, type Freshness } from '#reads/venue-coverage.ts';
import { listedBankSchema } from '#records/bank-fields.ts';
import { asOfSchema, coverageSchema, nextCursorField, warningsField } from '#records/reply-fields.ts';
import { type BanksPage, renderBanks } from './banks-page.ts';
import { type GetBanksInput, getBanksInput } from './get-banks-input.ts';
import { keepPage } from './rendered-rows.ts';
import { type CallContext, defineTool, READ_ANNOTATIONS, RenderedReply, type Tool } from './tool.ts';
import { listStale, localChain } from './warnings.ts';

export const getBanksOutput = z.strictObject({
  banks: z.array(listedBankSchema),
  count: z.int().describe('Banks in this page'),
  next_cursor: nextCursorField,
  as_of: asOfSchema,
  coverage: coverageSchema,
  warnings: warningsField,
  empty_reason: z.string().optional().describe('Why no bank is listed'),
});
type GetBanksOutput = z.infer<typeof getBanksOutput>;

/**
 * The tool that lists banks.
 * A page is rendered once per snapshot and question, and dated anew for every answer.
 */
export function createGetBanks(reads: ReadDeps): Tool {
  return defineTool({
    name: 'svc_get_banks',
    title: 'Lending banks',
    description:
      'Lists lending banks of Project 0 and the venues it reaches (Kamino, JupLend, Solend, Drift) with live rates, size and limits. ' +
      'Rates are percent APY, money is USD or UI tokens, null is unknown. Use it to choose a bank before any other call: ' +
      'it gives the bank address that the builders need. Reads stored data a few seconds old (see as_of); costs no chain call.',
    annotations: READ_ANNOTATIONS,
    rest: { method: 'GET', path: '/v1/banks' },
    input: getBanksInput,
    output: getBanksOutput,
    async handle(input: GetBanksInput, context: CallContext) {
      const snapshot = await reads.banks.get();
      const question = [context.door, input];
      const page = await keepPage<DatedPage>(snapshot.rendered, question, async () => ({
        banks: await renderBanks(snapshot, input, reads, context),
      }));
      const nowMs = reads.now();
      // At one moment there is one answer.
      if (page.dated?.nowMs !== nowMs) {
        const freshness = { nowMs, staleAfterMs: reads.staleAfterMs };
        page.dated = { nowMs, reply: dateReply(page.banks, snapshot, input.venue, freshness) };
      }
      return page.dated.reply;
    },
  });
}

/** A page, and the answer that was made of it last. */
interface DatedPage {
  readonly banks: BanksPage;
  dated?: { readonly nowMs: number; readonly reply: RenderedReply<GetBanksOutput> };
}

/** Age runs while a page is kept, so it and what it decides are made anew for every answer. */
function dateReply(
  page: BanksPage,
  snapshot: BankSnapshot,
  venue: GetBanksInput['venue'],
  freshness: Freshness,
): RenderedReply<GetBanksOutput> {
  // An empty page is an answer too: about all banks there are.
  const entries = page.rows.length > 0 ? page.rows : [...snapshot.entries.values()];
  const reading = readingOfPools(entries);
  if (reading === null) throw new TypeError('a page was rendered from a snapshot without banks');
  const asOf = describeAsOf(reading, freshness.nowMs, freshness.staleAfterMs);
  const venues = describeVenues(snapshot.venues, venue, freshness);
  const rest = {
    count: page.listed.length,
    next_cursor: page.nextCursor,
    as_of: asOf,
    coverage: {
      ...venues,
      banks_skipped: [...page.skipped],
      complete: venues.venues_missing.length === 0 && page.skipped.length === 0,
    },
    warnings: [...listStale(asOf, entries, freshness), ...page.warnings, ...localChain(entries)],
    ...(page.listed.length === 0 && { empty_reason: EMPTY_REASON }),
  };
  const value = { banks: [...page.listed], ...rest };
  return new RenderedReply(value, '{"banks":', page.kept, `,${JSON.stringify(rest).slice(1)}`);
}

const EMPTY_REASON = 'No bank matches every filter — allowed: fewer or other filters — call without them to list all';
