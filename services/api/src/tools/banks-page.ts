import { readBankHistories } from '#reads/bank-history.ts';
import type { BankEntry, BankSnapshot } from '#reads/bank-snapshot.ts';
import { type BankFilter, listBanks } from '#reads/list-banks.ts';
import { sortKeyOf } from '#reads/pool-order.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { BANK_FIELD_NAMES, type ListedBank } from '#records/bank-fields.ts';
import type { Coverage, Warning } from '#records/reply-fields.ts';
import { type GetBanksInput, MAX_LIMIT } from './get-banks-input.ts';
import { readPoolCursor, writePoolCursor } from './pool-cursor.ts';
import { assertFields, CONCISE_FIELDS, selectFields, shortenNumbers } from './select-fields.ts';
import type { CallContext } from './tool.ts';
import { ratePartsUnknown, truncated } from './warnings.ts';

const DEFAULT_LIMIT = { mcp: 20, rest: MAX_LIMIT } as const;
const DEFAULT_FORMAT = { mcp: 'concise', rest: 'detailed' } as const;

/** Ceiling of one MCP answer: 8,000 tokens of four characters. What is around the banks takes up to 2,500 of them. */
const MCP_MAX_CHARACTERS = 32_000;
const MCP_FRAME_CHARACTERS = 2_500;

/** What of a reply does not change while its snapshot lives. `banksText` is the JSON of `banks`. */
export interface RenderedPage {
  readonly banks: readonly ListedBank[];
  readonly banksText: string;
  readonly entries: readonly BankEntry[];
  readonly nextCursor: string | null;
  readonly skipped: Coverage['banks_skipped'];
  readonly warnings: readonly Warning[];
}

/**
 * Answers one question about the banks: chosen, ordered, cut to what fits the door.
 * @throws DATA__NOT_READY before the first bank was projected.
 * @throws TOOL__INPUT_INVALID for a field that does not exist, or a cursor of another question.
 */
export async function renderPage(
  snapshot: BankSnapshot,
  input: GetBanksInput,
  deps: ReadDeps,
  context: CallContext,
): Promise<RenderedPage> {
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
  const shown = found.entries.map(({ record }): ListedBank => {
    const fields = input.fields ?? (format === 'concise' ? CONCISE_FIELDS : undefined);
    const selected = fields === undefined ? record : selectFields(record, fields);
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
      last !== undefined && (isCut || found.hasMore) ? writePoolCursor(sortKeyOf(last.record, sort), question) : null,
    skipped: found.skipped,
    warnings: [
      ...(isCut ? [truncated(fitting, texts.length)] : []),
      ...ratePartsUnknown(entries.map(({ record }) => record)),
    ],
  };
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
