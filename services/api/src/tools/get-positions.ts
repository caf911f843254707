import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { type AccountOrders, describeAccount, NO_ORDERS } from '#reads/account-record.ts';
import { type AccountValue, valueAccount } from '#reads/account-value.ts';
import { knownAddress } from '#reads/address-of.ts';
import { type FoundAccounts, findAccounts } from '#reads/find-accounts.ts';
import type { Cover } from '#reads/follows.ts';
import type { MeasureSnapshot } from '#reads/measure-set.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import {
  type Account,
  type ListedAccount,
  type MaxBorrow,
  type PositionsReply,
  positionsReplySchema,
} from '#records/position-fields.ts';
import type { NextAction } from '#records/reply-fields.ts';
import { dateAnswer, describeCoverage, describeWarnings, emptyReason, measuresOf, momentOf } from './account-answer.ts';
import { EXACT_ADDRESS_ALLOWED, exactAddress } from './address-input.ts';
import { CURSOR_ALLOWED, decodeCursor, encodeCursor } from './cursor.ts';
import { inputField, requiredField } from './input-field.ts';
import {
  createRoom,
  DEFAULT_LENGTH,
  formatFor,
  MCP_LENGTH,
  type ResponseFormat,
  responseFormatField,
  rowsTruncated,
  shortenFigures,
} from './response-format.ts';
import { type CallContext, defineTool, READ_ANNOTATIONS, type Tool } from './tool.ts';
import { ratePartsUnknown } from './warnings.ts';

const input = z.strictObject({
  address: requiredField(
    exactAddress,
    'A wallet (all its lending accounts) or one lending account',
    EXACT_ADDRESS_ALLOWED,
  ),
  detail: responseFormatField,
  response_format: responseFormatField,
  cursor: inputField(z.string().max(400), 'next_cursor of the page before, with the same address', CURSOR_ALLOWED),
});
type Input = z.infer<typeof input>;

/** Accounts whose positions one answer holds at most; a wallet that has more pages on. */
const PAGE_ACCOUNTS = 100;
const CONCISE_BORROWS = 10;
const CONCISE_REFUSED_BORROWS = 3;

const NO_FOLLOW: Cover = { isComplete: true, reason: null, isFollowed: true, answer: null };

/** The tool that lists what an address holds and owes. */
export function createGetPositions(reads: ReadDeps): Tool {
  return defineTool({
    name: 'svc_get_positions',
    title: 'Positions',
    description:
      "A wallet's lending accounts on Project 0, or one account: deposits and debts with amounts, USD and APY, health, equity, leverage, " +
      'net APY, how much can be withdrawn and borrowed now and what limits it, liquidation prices, standing orders. ' +
      'Use it before building a transaction. Reads stored data a few seconds old (see as_of).',
    annotations: READ_ANNOTATIONS,
    rest: { method: 'GET', path: '/v1/account/:address' },
    input,
    output: positionsReplySchema,
    async handle(query: Input, context: CallContext) {
      const snapshot = await reads.measures.get();
      const isNoWallet = knownAddress(query.address, snapshot.banks) !== null;
      const found: FoundAccounts = isNoWallet
        ? { accounts: [], closed: null, cover: NO_FOLLOW }
        : await findAccounts(reads, query.address);
      return answer(reads, snapshot, found, query, context);
    },
  });
}

async function answer(
  reads: ReadDeps,
  snapshot: MeasureSnapshot,
  found: FoundAccounts,
  query: Input,
  context: CallContext,
): Promise<PositionsReply> {
  const { address } = query;
  const format = formatFor(context.door, query.response_format ?? query.detail);
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, CURSOR, address, context.callName)[0];
  const rest = found.accounts
    .toSorted((a, b) => (a.address < b.address ? -1 : 1))
    .filter((row) => after === null || row.address > after);
  const page = rest.slice(0, PAGE_ACCOUNTS);
  const orders = await ordersOf(reads, page);
  const shown: AccountValue[] = [];
  const accounts: ListedAccount[] = [];
  const date = (rows: typeof page) => dateAnswer(reads, found.cover, rows, measuresOf(rows, snapshot));
  const asOf = await date(page);
  const room = createRoom(context.door, format === 'concise' ? DEFAULT_LENGTH : MCP_LENGTH);
  for (const row of page) {
    const value = valueAccount(row, snapshot, momentOf(await date([row])));
    const isOwn = ({ account }: { readonly account: string }) => account === row.address;
    const own = { orders: orders.orders.filter(isOwn), rebalanceOrders: orders.rebalanceOrders.filter(isOwn) };
    const account = toListed(describeAccount(value, snapshot, own), format);
    if (!room.takes(account)) break;
    shown.push(value);
    accounts.push(account);
    // What can be borrowed of every bank takes milliseconds an account; others are waiting, too.
    await setImmediate();
  }
  const last = accounts.at(-1);
  const authorities = new Set(found.accounts.map(({ authority }) => authority));
  return {
    authority: authorities.size === 1 ? ([...authorities][0] ?? null) : null,
    accounts,
    count: accounts.length,
    next_cursor: last !== undefined && accounts.length < rest.length ? encodeCursor([last.address], address) : null,
    next_actions: nextActions(address, shown, snapshot),
    as_of: asOf,
    coverage: describeCoverage(found.cover, shown),
    warnings: [
      ...(accounts.length < page.length
        ? [rowsTruncated(accounts.length, page.length, 'accounts', 'the address of one account as address')]
        : []),
      ...describeWarnings(asOf, shown),
      ...ratePartsUnknown(shown.flatMap(({ known }) => known.map(({ measured }) => measured.record))),
    ],
    ...(accounts.length === 0 && after === null && { empty_reason: emptyReason(found, address, snapshot.banks) }),
  };
}

const CURSOR = z.tuple([exactAddress]);

/** Only accounts that say they have orders are asked for them. */
async function ordersOf(reads: ReadDeps, page: FoundAccounts['accounts']): Promise<AccountOrders> {
  const wanted = page.filter(({ active_orders: orders }) => orders > 0).map(({ address }) => address);
  if (wanted.length === 0) return NO_ORDERS;
  const [orders, rebalanceOrders] = await Promise.all([
    reads.store.readOrdersOf(wanted),
    reads.store.readRebalanceOrdersOf(wanted),
  ]);
  return { orders, rebalanceOrders };
}

function toListed(account: Account, format: ResponseFormat): ListedAccount {
  if (format === 'detailed') return account;
  const { health } = account;
  return shortenFigures({
    ...account,
    health: {
      status: health.status,
      health_factor: health.health_factor,
      health_ratio: health.health_ratio,
      health_usd: health.health_usd,
      ...('free_collateral_usd' in health && { free_collateral_usd: health.free_collateral_usd }),
      ...('weakest' in health && { weakest: health.weakest }),
      ...('oracle_issues' in health && { oracle_issues: health.oracle_issues }),
    },
    positions: account.positions.map(toConcise),
    max_borrow: account.max_borrow === null ? null : largestBorrows(account.max_borrow),
  });
}

/** What a debt owes besides its principal is left out where that is nothing. */
function toConcise(position: Account['positions'][number]): ListedAccount['positions'][number] {
  const { mint: _mint, weight_maint: _weight, weighted_usd: _usd, principal_raw: _principal, ...rest } = position;
  const { premium_outstanding_raw: _outstanding, premium_parts: _parts, ...named } = rest;
  const { principal_ui, premium_outstanding_ui, premium_accruing_ui, premium_apr_pct, ...kept } = named;
  const bearsNone = !premium_apr_pct && !premium_outstanding_ui && !premium_accruing_ui;
  return bearsNone ? kept : named;
}

/** The largest of what can be borrowed; where nothing can, a few that say why. */
function largestBorrows(all: readonly MaxBorrow[]): MaxBorrow[] {
  const possible = all.filter(({ amount_ui: amount }) => amount !== 0);
  return possible.length > 0 ? possible.slice(0, CONCISE_BORROWS) : all.slice(0, CONCISE_REFUSED_BORROWS);
}

function nextActions(address: string, values: readonly AccountValue[], { banks }: MeasureSnapshot): NextAction[] {
  if (values.length === 0) {
    return [
      ...(knownAddress(address, banks) === null
        ? [{ tool: 'svc_get_wallet', why: 'What the wallet holds, and which banks take it', args: { address } }]
        : []),
      { tool: 'svc_get_banks', why: 'Where lending earns what', args: { side: 'lend' } },
    ];
  }
  const atRisk = values.find(({ health }) => !['healthy', 'moderate'].includes(health.status));
  const first = atRisk ?? (values[0] as AccountValue);
  return [
    {
      tool: 'svc_get_health',
      why: atRisk === undefined ? 'What a fall of the market does to it' : 'What brings this account back to safety',
      args: { account: first.row.address, ...(atRisk !== undefined && { target_health_ratio: 1.25 }) },
    },
    { tool: 'svc_get_activity', why: 'How it came to stand like this', args: { address } },
  ];
}
