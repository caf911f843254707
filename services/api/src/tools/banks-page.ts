import { z } from 'zod';
import { readBankHistories } from '#reads/bank-history.ts';
import { type BankSort, type SortKey, sortKeyOf } from '#reads/bank-order.ts';
import type { BankEntry, BankSnapshot } from '#reads/bank-snapshot.ts';
import { type BankFilter, listBanks } from '#reads/list-banks.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import type { ListedBank } from '#records/bank-fields.ts';
import type { Coverage, Warning } from '#records/reply-fields.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { type GetBanksInput, MAX_LIMIT } from './get-banks-input.ts';
import { addressText } from './input-field.ts';
import { assertBankFields, CONCISE_FIELDS, selectBankFields, shortenNumbers } from './select-fields.ts';
import type { CallContext } from './tool.ts';
import { RATE_PARTS_UNKNOWN, truncated, VENUE_NOT_DECODED } from './warnings.ts';

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
  readonly coverage: Coverage;
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
  const after = input.cursor === undefined ? null : readCursor(input.cursor, sort, question, context.callName);
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
      // In a concise answer `coverage` alone says it.
      ...(format === 'detailed' && found.coverage.venues_missing.length > 0 ? [VENUE_NOT_DECODED] : []),
    ],
  };
}

/** Every order but the alphabetical one goes by a figure; both have banks of which it is not known. */
const figurePosition = z.tuple([z.number().nullable(), addressText]);
const symbolPosition = z.tuple([z.string().nullable(), addressText]);

/** The place a page ended at, as the caller hands it back for the next. */
function writeCursor({ value, address }: SortKey, question: unknown): string {
  return encodeCursor([value, address], question);
}

function readCursor(text: string, sort: BankSort, question: unknown, callName: string): SortKey {
  const [value, address] =
    sort === 'symbol'
      ? decodeCursor(text, symbolPosition, question, callName)
      : decodeCursor(text, figurePosition, question, callName);
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
