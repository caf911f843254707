import { VENUES_ON_WIRE } from '@lending/domain';
import { z } from 'zod';
import { STRATEGY_SORTS } from '#reads/strategy-order.ts';
import { STRATEGY_FIELD_NAMES, STRATEGY_KINDS } from '#records/strategy-fields.ts';
import { taking } from './accepted-json.ts';
import { AMOUNT_ALLOWED, tokenAmount } from './amount-input.ts';
import { CURSOR_ALLOWED } from './cursor.ts';
import { inputField, nameList, numberOrText, venueInput, wordOf } from './input-field.ts';
import { leverageNumber, textAboveOne } from './leverage-input.ts';
import { responseFormatField } from './response-format.ts';

export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 20;

const symbolText = z.string().min(1).max(32);
const SYMBOL_ALLOWED = 'a symbol of 1 to 32 characters';
const TARGET_ALLOWED = 'a number above 1 with at most 2 decimals';

/** Figures are told to the hundredth, as `max_leverage` is. */
const targetLeverage = taking(
  leverageNumber.refine((text) => /^\d+(\.\d{1,2})?$/.test(text), { message: TARGET_ALLOWED }),
  textAboveOne(2),
);

/** What svc_get_strategies can be asked. */
export const getStrategiesInput = z.strictObject({
  kind: inputField(
    wordOf(STRATEGY_KINDS),
    'What its worth depends on: stable is two dollars, sol_lst SOL and staked SOL, rate_arbitrage one token',
    STRATEGY_KINDS.join(', '),
  ),
  supply_symbol: inputField(symbolText, 'Token supplied, whole symbol, any case', SYMBOL_ALLOWED),
  borrow_symbol: inputField(symbolText, 'Token borrowed, the same', SYMBOL_ALLOWED),
  venue: inputField(venueInput, 'This venue on either side; every debt is at P0', VENUES_ON_WIRE.join(', ')),
  min_size_usd: inputField(
    numberOrText(z.number().nonnegative()),
    'Own capital that has to fit now, USD',
    'a number of USD, 0 or more',
  ),
  max_leverage: inputField(numberOrText(z.number().min(1)), 'Only pairs that allow no more', 'a number, 1 or more'),
  target_leverage: inputField(
    targetLeverage,
    'Only pairs that reach it, with figures at it in at_target',
    TARGET_ALLOWED,
  ),
  amount: inputField(
    tokenAmount,
    'Own capital in tokens of supply_symbol, which it needs: at_target then tells what it comes to',
    AMOUNT_ALLOWED,
  ),
  sort: inputField(
    wordOf(STRATEGY_SORTS),
    'Largest first, break_even_days smallest first; unknown last. Default score',
    STRATEGY_SORTS.join(', '),
  ),
  limit: inputField(
    numberOrText(z.int().min(1).max(MAX_LIMIT)),
    `Default ${DEFAULT_LIMIT}, over MCP as many of them as fit 3,000 tokens`,
    `a whole number from 1 to ${MAX_LIMIT}`,
  ),
  cursor: inputField(z.string().max(400), 'next_cursor of the page before', CURSOR_ALLOWED),
  fields: inputField(
    nameList(STRATEGY_FIELD_NAMES),
    'Only these fields besides the banks, such as score, rates.net_apy_7d_pct',
    'names of strategy fields, dotted below supply, borrow, rates, liquidation, cost and score_parts',
  ),
  response_format: responseFormatField,
});
export type GetStrategiesInput = z.infer<typeof getStrategiesInput>;
