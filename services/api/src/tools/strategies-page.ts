import { z } from 'zod';
import { listStrategies, type StrategyFilter } from '#reads/list-strategies.ts';
import { type StrategyKey, strategyKeyOf } from '#reads/strategy-order.ts';
import type { StrategyEntry, StrategySnapshot } from '#reads/strategy-snapshot.ts';
import { describeTarget, type StrategyTarget } from '#reads/strategy-target.ts';
import { type ListedStrategy, STRATEGY_FIELD_NAMES, type StrategyRecord } from '#records/strategy-fields.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { DEFAULT_LIMIT, type GetStrategiesInput } from './get-strategies-input.ts';
import { addressText } from './input-field.ts';
import { invalid } from './parse-input.ts';
import { type RenderedRows, renderRows } from './rendered-rows.ts';
import { type AnswerLength, formatFor } from './response-format.ts';
import { assertFields, selectFields, shortenNumbers } from './select-fields.ts';
import { tellSkipped } from './skipped-banks.ts';
import type { CallContext } from './tool.ts';

/** What a concise answer keeps of a strategy: enough to choose one and to ask svc_loop for it. */
const CONCISE_FIELDS: readonly string[] = [
  'supply.bank',
  'supply.symbol',
  'supply.venue',
  'borrow.bank',
  'borrow.symbol',
  'borrow.venue',
  'type',
  'kind',
  'rates.net_apy_at_recommended_leverage_pct',
  'rates.net_apy_7d_pct',
  'max_leverage',
  'recommended_leverage',
  'available_strategy_size_usd',
  'binding_constraint',
  'liquidation.price_ratio_drop_pct',
  'cost.break_even_days',
  'score',
];
const ALWAYS: readonly string[] = ['supply.bank', 'borrow.bank'];

/** With the o200k vocabulary pages of the demo market measure 2.7, concise, and 2.65, whole. */
const CHARACTERS_PER_TOKEN = 2.6;
/** What is around the rows, but for the banks that are skipped. */
const FRAME_CHARACTERS = 1_000;
/** An agent's page of the default length, and the most it may ask for. */
const DEFAULT_TOKENS = 3_000;
const MOST_TOKENS = 8_000;

/** What of a reply does not change while its snapshot lives. */
export interface StrategiesPage extends RenderedRows<StrategyEntry, ListedStrategy> {
  /** How many match, on all pages. */
  readonly total: number;
  readonly skipped: StrategySnapshot['skipped'];
}

/**
 * Answers one question about the strategies: chosen, ordered, cut to what fits the door.
 * @throws DATA__NOT_READY before the first bank was measured.
 * @throws TOOL__INPUT_INVALID for a field that does not exist, an amount of no token in particular, or a cursor of another question.
 */
export function renderStrategies(
  snapshot: StrategySnapshot,
  input: GetStrategiesInput,
  { door, callName }: CallContext,
): StrategiesPage {
  if (input.fields !== undefined) assertFields(input.fields, STRATEGY_FIELD_NAMES, callName);
  const target = targetOf(input, callName);
  const filter: StrategyFilter = {
    kind: input.kind,
    supplySymbol: input.supply_symbol,
    borrowSymbol: input.borrow_symbol,
    venue: input.venue,
    minSizeUsd: input.min_size_usd,
    maxLeverage: input.max_leverage,
    reachesHundredths: target?.leverageHundredths ?? undefined,
  };
  const sort = input.sort ?? 'score';
  const question = [{ ...filter, reachesHundredths: input.target_leverage }, sort];
  const after = readCursor(input.cursor, question, callName);
  const limit = input.limit ?? DEFAULT_LIMIT;
  const found = listStrategies(snapshot, { filter, sort, limit, after, callName });
  const format = formatFor(door, input.response_format);
  const { skipped, warnings } = tellSkipped(snapshot.skipped, { door }, 'GET /v1/strategies');
  const page = renderRows<StrategyEntry, ListedStrategy>({
    rows: found.entries,
    toListed: (entry) => toListed(entry, target, input.fields, format),
    hasMore: found.hasMore,
    cursorAfter: ({ strategy }) => writeCursor(strategyKeyOf(strategy, sort), question),
    door,
    room: lengthOf(input, skipped),
    words: input.limit === undefined ? null : TRUNCATED_WORDS,
  });
  return { ...page, warnings: [...page.warnings, ...warnings], total: found.total, skipped };
}

const TRUNCATED_WORDS = {
  noun: 'strategies',
  filter: 'a filter (kind, supply_symbol, borrow_symbol, min_size_usd), fields, or response_format concise',
} as const;

/** Null where neither a leverage nor an amount was asked about. */
export function targetOf(
  { target_leverage: leverage, amount, supply_symbol: symbol }: GetStrategiesInput,
  callName: string,
) {
  if (amount !== undefined && symbol === undefined) {
    throw invalid(
      'amount is given without supply_symbol, so that nobody knows of which token it is',
      'supply_symbol beside amount',
      callName,
      { field: 'supply_symbol' },
    );
  }
  if (leverage === undefined && amount === undefined) return null;
  return {
    leverageHundredths: leverage === undefined ? null : hundredthsOf(leverage),
    amountUi: amount ?? null,
  } satisfies StrategyTarget;
}

function hundredthsOf(text: string): bigint {
  const [whole = '0', decimals = ''] = text.split('.');
  return BigInt(whole + decimals.padEnd(2, '0'));
}

function toListed(
  entry: StrategyEntry,
  target: StrategyTarget | null,
  asked: readonly string[] | undefined,
  format: 'concise' | 'detailed',
): ListedStrategy {
  const fields = asked ?? (format === 'concise' ? CONCISE_FIELDS : undefined);
  const { record } = entry;
  // Its sides are never left out whole, only shortened.
  const selected = (
    fields === undefined ? record : selectFields<StrategyRecord, never>(record, [...ALWAYS, ...fields], [])
  ) as ListedStrategy;
  const listed = target === null ? selected : { ...selected, at_target: describeTarget(entry, target) };
  return format === 'concise' ? shortenNumbers(listed) : listed;
}

function lengthOf({ limit }: GetStrategiesInput, skipped: StrategySnapshot['skipped']): AnswerLength {
  const tokens = limit === undefined ? DEFAULT_TOKENS : MOST_TOKENS;
  return {
    most: Math.floor(tokens * CHARACTERS_PER_TOKEN),
    frame: FRAME_CHARACTERS + JSON.stringify(skipped).length,
  };
}

const position = z.tuple([z.number().nullable(), addressText, addressText]);

function writeCursor({ value, supply, borrow }: StrategyKey, question: unknown): string {
  return encodeCursor([value, supply, borrow], question);
}

function readCursor(text: string | undefined, question: unknown, callName: string): StrategyKey | null {
  if (text === undefined) return null;
  const [value, supply, borrow] = decodeCursor(text, position, question, callName);
  return { value, supply, borrow };
}
