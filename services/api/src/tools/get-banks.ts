import { z } from 'zod';
import { describeAsOf } from '#reads/as-of.ts';
import { readBankHistories } from '#reads/bank-history.ts';
import { BANK_SORTS, type SortKey, sortKeyOf } from '#reads/bank-order.ts';
import { type BankEntry, type BankSnapshot, readingOfBanks } from '#reads/bank-snapshot.ts';
import { type BankFilter, listBanks } from '#reads/list-banks.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { type ListedBank, listedBankSchema } from '#records/bank-fields.ts';
import {
  asOfSchema,
  type Coverage,
  coverageSchema,
  nextCursorField,
  type Warning,
  WIRE_VENUES,
  warningsField,
} from '#records/reply-fields.ts';
import { CURSOR_ALLOWED, decodeCursor, encodeCursor } from './cursor.ts';
import { ADDRESS_ALLOWED, addressText, inputField, nameList, numberOrText, venueInput, wordOf } from './input-field.ts';
import { assertBankFields, CONCISE_FIELDS, selectBankFields, shortenNumbers } from './select-fields.ts';
import { type CallContext, defineTool, READ_ANNOTATIONS, RenderedReply, type Tool } from './tool.ts';
import { dataStale, LOCAL_CHAIN, RATE_PARTS_UNKNOWN, truncated, VENUE_NOT_DECODED } from './warnings.ts';

const MAX_LIMIT = 500;
const DEFAULT_LIMIT = { mcp: 20, rest: MAX_LIMIT } as const;
const DEFAULT_FORMAT = { mcp: 'concise', rest: 'detailed' } as const;

/** Ceiling of one MCP answer: 8,000 tokens of four characters. What is around the banks takes up to 2,500 of them. */
const MCP_MAX_CHARACTERS = 32_000;
const MCP_FRAME_CHARACTERS = 2_500;

const getBanksInput = z.strictObject({
  symbol: inputField(
    z.string().min(1).max(32),
    'Token symbol, whole, any case, such as USDC; several banks may share one',
    'a symbol of 1 to 32 characters',
  ),
  venue: inputField(venueInput, 'Only this venue; save means Solend', WIRE_VENUES.join(', ')),
  mint: inputField(addressText, 'Only banks of this token mint', ADDRESS_ALLOWED),
  bank: inputField(addressText, 'Only the bank at this address', ADDRESS_ALLOWED),
  side: inputField(
    wordOf(['lend', 'borrow']),
    'lend: banks that operate and take deposits; borrow: banks that lend out (P0 only)',
    'lend or borrow',
  ),
  min_available_usd: inputField(
    numberOrText(z.number().nonnegative()),
    'Only banks with at least this much liquidity to withdraw or borrow now, USD',
    'a number of USD, 0 or more',
  ),
  sort: inputField(
    wordOf(BANK_SORTS),
    'Order: largest first, but cheapest first by total_borrow_apy_pct and A first by symbol; unknown last. Default deposits_usd',
    BANK_SORTS.join(', '),
  ),
  limit: inputField(
    numberOrText(z.int().min(1).max(MAX_LIMIT)),
    'Banks a page. Default 20 over MCP, 500 over REST',
    `a whole number from 1 to ${MAX_LIMIT}`,
  ),
  cursor: inputField(
    z.string().max(400),
    'next_cursor of the page before, with the same filters and sort',
    CURSOR_ALLOWED,
  ),
  fields: inputField(
    nameList,
    'Only these fields of each bank, such as symbol, rates, rates.utilization_pct, size.deposits_usd',
    'names of bank fields, dotted below rates, size, weights and oracle',
  ),
  response_format: inputField(
    wordOf(['concise', 'detailed']),
    'concise: what is needed to choose a bank, numbers to 7 digits (default over MCP); detailed: the whole record (default over REST)',
    'concise or detailed',
  ),
  history: inputField(
    wordOf(['none', '7d', '30d']),
    'Daily rates of each bank over this time, one array per field. Default none',
    'none, 7d or 30d',
  ),
});
type GetBanksInput = z.infer<typeof getBanksInput>;

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

/** What of a reply does not change while its snapshot lives. `banksText` is the JSON of `banks`. */
interface RenderedPage {
  readonly banks: readonly ListedBank[];
  readonly banksText: string;
  readonly entries: readonly BankEntry[];
  readonly nextCursor: string | null;
  readonly coverage: Coverage;
  readonly warnings: readonly Warning[];
}

/** Pages kept with one snapshot; a caller who asks for more different ones only makes them be rendered again. */
const MAX_RENDERED_PAGES = 200;

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
      const key = JSON.stringify([context.door, input]);
      let page = snapshot.rendered.get(key) as RenderedPage | undefined;
      if (page === undefined) {
        page = await renderPage(snapshot, input, reads, context);
        if (snapshot.rendered.size >= MAX_RENDERED_PAGES) snapshot.rendered.clear();
        snapshot.rendered.set(key, page);
      }
      return dateReply(page, snapshot, reads);
    },
  });
}

async function renderPage(
  snapshot: BankSnapshot,
  input: GetBanksInput,
  deps: ReadDeps,
  context: CallContext,
): Promise<RenderedPage> {
  const format = input.response_format ?? DEFAULT_FORMAT[context.door];
  if (input.fields !== undefined) assertBankFields(input.fields, context.callName);
  const filter: BankFilter = {
    symbol: input.symbol,
    venue: input.venue,
    mint: input.mint,
    bank: input.bank,
    side: input.side,
    minAvailableUsd: input.min_available_usd,
  };
  const sort = input.sort ?? 'deposits_usd';
  const limit = input.limit ?? DEFAULT_LIMIT[context.door];
  const question = [filter, sort];
  const after = input.cursor === undefined ? null : readCursor(input.cursor, question, context.callName);
  const found = listBanks(snapshot, { filter, sort, limit, after, callName: context.callName });
  const days = input.history === '30d' ? 30 : input.history === '7d' ? 7 : 0;
  const addresses = found.entries.map(({ record }) => record.address);
  const histories =
    days > 0 ? await readBankHistories(deps.store, addresses, days, snapshot.chainTimeMs) : new Map<string, never>();
  const shown = found.entries.map(({ record }): ListedBank => {
    const fields = input.fields ?? (format === 'concise' ? CONCISE_FIELDS : undefined);
    const selected = fields === undefined ? record : selectBankFields(record, fields);
    const history = histories.get(record.address);
    const bank = history === undefined ? selected : { ...selected, history };
    return format === 'concise' ? shortenNumbers(bank) : bank;
  });
  const texts = shown.map((bank) => JSON.stringify(bank));
  const fitting = context.door === 'mcp' ? countFitting(texts) : texts.length;
  const entries = found.entries.slice(0, fitting);
  const last = entries.at(-1);
  const isCut = fitting < texts.length;
  return {
    banks: shown.slice(0, fitting),
    banksText: `[${texts.slice(0, fitting).join(',')}]`,
    entries,
    nextCursor:
      last !== undefined && (isCut || found.hasMore) ? writeCursor(sortKeyOf(last.record, sort), question) : null,
    coverage: found.coverage,
    warnings: [
      ...(isCut ? [truncated(fitting, texts.length)] : []),
      ...(entries.some(({ record }) => record.rates.total_deposit_apy_pct !== null) ? [RATE_PARTS_UNKNOWN] : []),
      ...(found.coverage.venues_missing.length > 0 ? [VENUE_NOT_DECODED] : []),
      ...(entries.some(({ reading }) => reading.source === 'localnet') ? [LOCAL_CHAIN] : []),
    ],
  };
}

const cursorPosition = z.tuple([z.union([z.number(), z.string(), z.null()]), z.string()]);

/** The place a page ended at, as the caller hands it back for the next. */
function writeCursor({ value, address }: SortKey, question: unknown): string {
  return encodeCursor([value, address], question);
}

function readCursor(text: string, question: unknown, callName: string): SortKey {
  const [value, address] = decodeCursor(text, cursorPosition, question, callName);
  return { value, address };
}

/** How many banks from the front fit an agent's answer; at least one, so that paging always moves. */
function countFitting(texts: readonly string[]): number {
  let characters = MCP_FRAME_CHARACTERS;
  const over = texts.findIndex((text) => {
    characters += text.length + 1;
    return characters > MCP_MAX_CHARACTERS;
  });
  return over === -1 ? texts.length : Math.max(1, over);
}

/** Age runs while a page is kept, so it is the one part that is made anew for every answer. */
function dateReply(page: RenderedPage, snapshot: BankSnapshot, deps: ReadDeps): RenderedReply<GetBanksOutput> {
  const reading = readingOfBanks(page.entries) ?? readingOfBanks([...snapshot.entries.values()]);
  if (reading === null) throw new TypeError('a page was rendered from a snapshot without banks');
  const asOf = describeAsOf(reading, deps.now(), deps.staleAfterMs);
  const rest = {
    count: page.banks.length,
    next_cursor: page.nextCursor,
    as_of: asOf,
    coverage: page.coverage,
    warnings: [...dataStale(asOf), ...page.warnings],
    ...(page.banks.length === 0 && { empty_reason: EMPTY_REASON }),
  };
  const text = `{"banks":${page.banksText},${JSON.stringify(rest).slice(1)}`;
  return new RenderedReply({ banks: page.banks as ListedBank[], ...rest }, text);
}

const EMPTY_REASON = 'No bank matches every filter — allowed: fewer or other filters — call without them to list all';
