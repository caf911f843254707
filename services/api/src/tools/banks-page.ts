import { readBankHistories } from '#reads/bank-history.ts';
import type { BankEntry, BankSnapshot } from '#reads/bank-snapshot.ts';
import { type BankFilter, listBanks } from '#reads/list-banks.ts';
import { sortKeyOf } from '#reads/pool-order.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { BANK_FIELD_NAMES, type ListedBank } from '#records/bank-fields.ts';
import type { Coverage } from '#records/reply-fields.ts';
import { type GetBanksInput, MAX_LIMIT } from './get-banks-input.ts';
import { readPoolCursor, writePoolCursor } from './pool-cursor.ts';
import { type RenderedRows, renderRows } from './rendered-rows.ts';
import { type AnswerLength, MCP_LENGTH } from './response-format.ts';
import { assertFields, conciseFieldsOf, selectFields, shortenNumbers } from './select-fields.ts';
import { tellSkipped } from './skipped-banks.ts';
import type { CallContext } from './tool.ts';
import { ratePartsUnknown } from './warnings.ts';

/** 3,000 tokens of concise banks: their rows have more characters a token than others. */
const DEFAULT_LENGTH: AnswerLength = { most: 8_000, frame: 800 };
/** 8,000 tokens of banks with their histories, which are figures and times. */
const HISTORY_LENGTH: AnswerLength = { most: 13_000, frame: 1_500 };
const DEFAULT_LIMIT = { mcp: 20, rest: MAX_LIMIT } as const;
const DEFAULT_FORMAT = { mcp: 'concise', rest: 'detailed' } as const;

/** What of a reply does not change while its snapshot lives. */
export interface BanksPage extends RenderedRows<BankEntry, ListedBank> {
  readonly skipped: Coverage['banks_skipped'];
}

/**
 * Answers one question about the banks: chosen, ordered, cut to what fits the door.
 * @throws DATA__NOT_READY before the first bank was projected.
 * @throws TOOL__INPUT_INVALID for a field that does not exist, or a cursor of another question.
 */
export async function renderBanks(
  snapshot: BankSnapshot,
  input: GetBanksInput,
  deps: ReadDeps,
  context: CallContext,
): Promise<BanksPage> {
  const format = input.response_format ?? DEFAULT_FORMAT[context.door];
  if (input.fields !== undefined) assertFields(input.fields, BANK_FIELD_NAMES, context.callName);
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
  const after = readPoolCursor(input.cursor, sort, question, context.callName);
  const found = listBanks(snapshot, { filter, sort, limit, after, callName: context.callName });
  const days = input.history === '30d' ? 30 : input.history === '7d' ? 7 : 0;
  const records = found.entries.map(({ record }) => record);
  const histories =
    days > 0 ? await readBankHistories(deps.store, records, days, snapshot.chainTimeMs) : new Map<string, never>();
  // The default is twenty, or as many as fit: nobody asked for more, so fewer are no news.
  const isDefault = input.limit === undefined && input.fields === undefined && format === 'concise' && days === 0;
  const page = renderRows<BankEntry, ListedBank>({
    rows: found.entries,
    toListed({ record }) {
      const fields = input.fields ?? (format === 'concise' ? conciseFieldsOf(record) : undefined);
      const selected = fields === undefined ? record : selectFields(record, fields, ['address']);
      const history = histories.get(record.address);
      const bank = history === undefined ? selected : { ...selected, history };
      return format === 'concise' ? shortenNumbers(bank) : bank;
    },
    hasMore: found.hasMore,
    cursorAfter: ({ record }) => writePoolCursor(sortKeyOf(record, sort), question),
    door: context.door,
    room: isDefault ? DEFAULT_LENGTH : days > 0 ? HISTORY_LENGTH : MCP_LENGTH,
    words: isDefault ? null : TRUNCATED_WORDS,
  });
  const { skipped, warnings } = tellSkipped(found.skipped, context, 'GET /v1/banks');
  return {
    ...page,
    skipped,
    warnings: [...page.warnings, ...warnings, ...ratePartsUnknown(page.rows.map(({ record }) => record))],
  };
}

const TRUNCATED_WORDS = {
  noun: 'banks',
  filter: 'a filter (symbol, venue, side), fields, or response_format concise',
} as const;
