import { ACTIVITY_KINDS } from '@lending/domain';
import { z } from 'zod';
import { knownAddress } from '#reads/address-of.ts';
import { findAccounts } from '#reads/find-accounts.ts';
import { COVERED, type Cover } from '#reads/follows.ts';
import { describeGroupChange } from '#reads/group-changes.ts';
import { type ActivityEntry, listActivity } from '#reads/list-activity.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import {
  ACTIVITY_FORMATS,
  type Activity,
  type ActivityReply,
  activityReplySchema,
  type ListedActivity,
} from '#records/activity-fields.ts';
import type { GroupChange } from '#records/group-change-fields.ts';
import type { NextAction } from '#records/reply-fields.ts';
import { dateAnswer, describeCoverage, emptyReason } from './account-answer.ts';
import { toActivityCsv } from './activity-csv.ts';
import { EXACT_ADDRESS_ALLOWED, exactAddress } from './address-input.ts';
import { CURSOR_ALLOWED, decodeCursor, encodeCursor } from './cursor.ts';
import { inputField, numberOrText, requiredField, wordOf } from './input-field.ts';
import { invalid } from './parse-input.ts';
import {
  countFitting,
  DEFAULT_LENGTH,
  formatFor,
  MCP_LENGTH,
  type ResponseFormat,
  responseFormatField,
  rowsTruncated,
  shortenFigures,
} from './response-format.ts';
import { TIME_ALLOWED, timeText } from './time-input.ts';
import { type CallContext, defineTool, READ_ANNOTATIONS, TextReply, type Tool } from './tool.ts';
import { dataStale, LOCAL_CHAIN } from './warnings.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
/** Changes beside the activity of a first page. */
const MAX_CHANGES = 10;
/** Accounts of a wallet that are looked for by name as well. */
const MAX_ACCOUNTS = 100;
/** What changes are kept of, in the words of `knownAddress`. */
const CHANGING: ReadonlySet<string> = new Set(['a bank', 'the group of all banks']);
const PAST_NOT_READ =
  'changes of banks and their group are those since this service follows the chain, and of what it read of the past';

const input = z.strictObject({
  address: requiredField(exactAddress, 'A wallet or one lending account', EXACT_ADDRESS_ALLOWED),
  kind: inputField(wordOf(ACTIVITY_KINDS), 'Only this kind', ACTIVITY_KINDS.join(', ')),
  since: inputField(timeText, 'From then on, inclusive, ISO-8601', TIME_ALLOWED),
  until: inputField(timeText, 'Up to then, exclusive, ISO-8601, later than since', TIME_ALLOWED),
  limit: inputField(
    numberOrText(z.int().min(1).max(MAX_LIMIT)),
    `Activities a page. Default ${DEFAULT_LIMIT}`,
    `a whole number from 1 to ${MAX_LIMIT}`,
  ),
  cursor: inputField(
    z.string().max(400),
    'next_cursor of the page before, with the same address, kind, since and until',
    CURSOR_ALLOWED,
  ),
  format: inputField(
    wordOf(ACTIVITY_FORMATS),
    'json (default), or csv: a line per leg; over REST as text/csv with next_cursor in the header x-next-cursor',
    ACTIVITY_FORMATS.join(' or '),
  ),
  response_format: responseFormatField,
});
type Input = z.infer<typeof input>;

/** The tool that lists what was done to the accounts of an address. */
export function createGetActivity(reads: ReadDeps): Tool {
  return defineTool({
    name: 'svc_get_activity',
    title: 'Activity',
    description:
      'What was done to a wallet’s lending accounts, or to one account, newest first: deposits, withdrawals, borrows, repayments, loops, closes, ' +
      'liquidations (both sides find them) and more, with amounts, USD at the prices of that time and finality. ' +
      'Filter by kind and time; page with next_cursor.',
    annotations: READ_ANNOTATIONS,
    rest: { method: 'GET', path: '/v1/activity/:address' },
    otherMediaTypes: ['text/csv'],
    input,
    output: activityReplySchema,
    async handle(query: Input, context: CallContext) {
      const reply = await answer(reads, query, context);
      if (query.format !== 'csv' || context.door === 'mcp') return reply;
      return new TextReply('text/csv; charset=utf-8', reply.csv ?? '', {
        'x-next-cursor': reply.next_cursor ?? '',
      });
    },
  });
}

async function answer(reads: ReadDeps, query: Input, context: CallContext): Promise<ActivityReply> {
  const { address, kind, limit = DEFAULT_LIMIT } = query;
  const [since, until] = readRange(query, context.callName);
  const question = [address, kind, since, until];
  const after = readPlace(query.cursor, question, context.callName);
  const banks = await reads.banks.get();
  const isNoWallet = knownAddress(address, banks) !== null;
  const cover = isNoWallet ? await coverOfAll(reads) : await reads.follows.cover(address, 'activity', async () => true);
  const addresses = isNoWallet ? [address] : await addressesOf(reads, address, cover);
  const page = isNoWallet
    ? { entries: [], hasMore: false }
    : await listActivity(reads, {
        addresses,
        kind,
        since,
        until,
        limit,
        after,
      });
  const changes = after === null && kind === undefined ? await changesOf(reads, query, addresses) : [];
  const format = formatFor(context.door, query.response_format);
  const shown = page.entries.map(({ record }) => toListed(record, format));
  const isCsv = query.format === 'csv';
  const isDefault = query.limit === undefined && format === 'concise';
  const rows = isCsv ? page.entries.map(({ record }) => toActivityCsv([record])) : shown;
  const length = isDefault ? DEFAULT_LENGTH : MCP_LENGTH;
  const taken = JSON.stringify(changes).length;
  const fitting = countFitting(rows, context.door, { ...length, frame: length.frame + taken });
  const entries = page.entries.slice(0, fitting);
  const last = entries.at(-1);
  const asOf = await dateAnswer(reads, cover, [], []);
  return {
    ...(isCsv
      ? { csv: toActivityCsv(entries.map(({ record }) => record)) }
      : { activity: shown.slice(0, fitting) as ListedActivity[] }),
    ...(changes.length > 0 && { changes: [...changes] }),
    count: entries.length,
    next_cursor: last !== undefined && (page.hasMore || fitting < shown.length) ? writePlace(last, question) : null,
    next_actions: isNoWallet ? [] : nextActions(address, entries),
    as_of: asOf,
    coverage: describeCoverage(cover, []),
    warnings: [
      ...(fitting < shown.length
        ? [rowsTruncated(fitting, shown.length, 'activities', 'kind, since or until, or a smaller limit')]
        : []),
      ...dataStale(asOf),
      ...(asOf.source === 'localnet' ? [LOCAL_CHAIN] : []),
    ],
    ...(entries.length + changes.length === 0 &&
      after === null && { empty_reason: await whyEmpty(reads, query, cover) }),
  };
}

/** Of banks and the group there is what was read of everybody's transactions: nothing is read for their sake. */
async function coverOfAll({ progress }: Pick<ReadDeps, 'progress'>): Promise<Cover> {
  const { isActivityComplete } = await progress.get();
  return isActivityComplete ? COVERED : { ...COVERED, isComplete: false, reason: PAST_NOT_READ };
}

/** A wallet's accounts are asked for by name as well: what they did to others is kept under the others' names. */
async function addressesOf({ store }: ReadDeps, address: string, { answer }: Cover): Promise<readonly string[]> {
  const accounts = answer?.accounts ?? (await store.readAccountsOf(address)).map((account) => account.address);
  return [...new Set([address, ...accounts.slice(0, MAX_ACCOUNTS)])];
}

/** The newest alone: `until` asks for older ones. */
async function changesOf(
  { store, banks }: ReadDeps,
  { since, until }: Input,
  addresses: readonly string[],
): Promise<readonly GroupChange[]> {
  const rows = await store.listGroupChanges({
    addresses,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
    limit: MAX_CHANGES,
  });
  const snapshot = await banks.get();
  return rows.map((row) => describeGroupChange(row, snapshot));
}

function readRange({ since, until }: Input, callName: string): readonly [Date | undefined, Date | undefined] {
  const from = since === undefined ? undefined : new Date(since);
  const to = until === undefined ? undefined : new Date(until);
  if (from !== undefined && to !== undefined && from >= to) {
    throw invalid('until is not later than since', 'a time after since', callName, { field: 'until' });
  }
  return [from, to];
}

/** What comes back is compared with rows, so each part is what a row can hold. */
const PLACE = z.tuple([
  z.string().regex(/^\d{1,18}$/),
  z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{1,100}$/),
  z.int().min(0).max(255),
  z.int().min(0).max(1_023).nullable(),
]);

function writePlace({ place }: ActivityEntry, question: unknown): string {
  const { slot, signature, instructionIndex, innerIndex } = place;
  return encodeCursor([slot.toString(), signature, instructionIndex, innerIndex], question);
}

function readPlace(cursor: string | undefined, question: unknown, callName: string) {
  if (cursor === undefined) return null;
  const [slot, signature, instructionIndex, innerIndex] = decodeCursor(cursor, PLACE, question, callName);
  return { slot: BigInt(slot), signature, instructionIndex, innerIndex };
}

/** What stands in `id` and in the account is left out of a concise answer. */
function toListed(record: Activity, format: ResponseFormat): ListedActivity {
  if (format === 'detailed') return record;
  const { signature: _signature, legs, group_id, actor, authority, tip_sol, liquidation, rebalance, ...kept } = record;
  return shortenFigures({
    ...kept,
    ...(group_id !== null && group_id !== kept.id && { group_id }),
    ...(actor !== authority && { actor }),
    ...(tip_sol !== 0 && { tip_sol }),
    ...(liquidation !== null && { liquidation }),
    ...(rebalance !== null && { rebalance }),
    legs: legs.map(
      ({
        mint: _mint,
        side: _side,
        amount_raw: _raw,
        close_side,
        premium_settled_ui: settled,
        premium_written_off_ui: writtenOff,
        ...leg
      }) => ({
        ...leg,
        ...(close_side && { close_side }),
        ...(settled !== null && { premium_settled_ui: settled }),
        ...(writtenOff !== null && { premium_written_off_ui: writtenOff }),
      }),
    ),
  });
}

async function whyEmpty(reads: ReadDeps, query: Input, cover: Cover): Promise<string> {
  if (query.kind !== undefined || query.since !== undefined || query.until !== undefined) {
    const rest = cover.isComplete ? '' : `, or it was not read yet: ${cover.reason}`;
    return `Nothing matches the filters${rest} — allowed: fewer or other filters — call without kind, since and until to see all`;
  }
  const banks = await reads.banks.get();
  const known = knownAddress(query.address, banks);
  if (known !== null && CHANGING.has(known)) {
    const rest = cover.isComplete ? '' : `: ${cover.reason}`;
    return `No change of ${known} was read${rest} — allowed: a wallet or a lending account, for what was done to it — call again with that`;
  }
  if (known !== null) return emptyReason({ accounts: [], closed: null, cover }, query.address, banks);
  if (!cover.isComplete) return `Nothing is known of this address yet: ${cover.reason}`;
  const found = await findAccounts(reads, query.address);
  if (found.accounts.length === 0) return emptyReason({ ...found, cover }, query.address, banks);
  return 'Nothing was done to this account that this service has read';
}

function nextActions(address: string, entries: readonly ActivityEntry[]): NextAction[] {
  const liquidated = entries.find(({ record }) => record.kind === 'liquidation')?.record;
  return [
    ...(liquidated === undefined
      ? []
      : [
          {
            tool: 'svc_get_health',
            why: 'How the liquidated account stands now',
            args: { account: liquidated.account },
          },
        ]),
    { tool: 'svc_get_positions', why: 'What came of it', args: { address } },
  ];
}
