import { VENUES_ON_WIRE } from '@lending/domain';
import { z } from 'zod';
import { POOL_SORTS } from '#reads/pool-order.ts';
import { BANK_FIELD_NAMES } from '#records/bank-fields.ts';
import { CURSOR_ALLOWED } from './cursor.ts';
import { ADDRESS_ALLOWED, addressText, inputField, nameList, numberOrText, venueInput, wordOf } from './input-field.ts';

export const MAX_LIMIT = 500;

/** What svc_get_banks can be asked. */
export const getBanksInput = z.strictObject({
  symbol: inputField(
    z.string().min(1).max(32),
    'Token symbol, whole, any case, such as USDC; several banks may share one',
    'a symbol of 1 to 32 characters',
  ),
  venue: inputField(venueInput, 'Only this venue; save means Solend', VENUES_ON_WIRE.join(', ')),
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
    wordOf(POOL_SORTS),
    'Order: largest first, but cheapest first by total_borrow_apy_pct and A first by symbol; unknown last. Default deposits_usd',
    POOL_SORTS.join(', '),
  ),
  limit: inputField(
    numberOrText(z.int().min(1).max(MAX_LIMIT)),
    'Banks a page. Default 500, over MCP what fits 3,000 tokens',
    `a whole number from 1 to ${MAX_LIMIT}`,
  ),
  cursor: inputField(
    z.string().max(400),
    'next_cursor of the page before, with the same filters and sort',
    CURSOR_ALLOWED,
  ),
  fields: inputField(
    nameList(BANK_FIELD_NAMES),
    'Only these fields of each bank, such as symbol, rates, rates.utilization_pct, size.deposits_usd',
    'names of bank fields, dotted below rates, size, weights, oracle and reserve',
  ),
  response_format: inputField(
    wordOf(['concise', 'detailed']),
    'concise: what is needed to choose a bank, numbers to 5 digits (default over MCP); detailed: the whole record (default over REST)',
    'concise or detailed',
  ),
  history: inputField(
    wordOf(['none', '7d', '30d']),
    'Daily rates of each bank over this time, one array per field. Default none',
    'none, 7d or 30d',
  ),
});
export type GetBanksInput = z.infer<typeof getBanksInput>;
