import { type Address, isAddress } from '@solana/kit';
import type { SubscribeRequest } from '@triton-one/yellowstone-grpc';
import type { TransactionRecord } from '#ledger/transaction-record.ts';
import type { AccountWrite, FeedMessage } from './ledger-feed.ts';
import {
  SLOT_STATUS,
  toAccountUpdate,
  toBlockMeta,
  toSlotUpdate,
  toTransactionUpdate,
  type Update,
} from './to-update.ts';

type AccountFilter = SubscribeRequest['accounts'][string];
type TransactionFilter = SubscribeRequest['transactions'][string];

/** A request that the plugin would refuse, or one for what is not served here; the client gets its message. */
export class FilterError extends Error {}

/** What one stream wants to hear: the updates that a message means for it, in the plugin's order. */
export type UpdateFilters = (message: FeedMessage) => readonly Update[];

type Named<T> = readonly (readonly [name: string, matches: (one: T) => boolean])[];

const CONFIRMED = 1;
const MAX_STATE_FILTERS = 4;
const MAX_MEMCMP_BYTES = 128;

/**
 * Reads the filters of a request. Served is what an indexer asks for at `confirmed`: accounts by owner, size and content, transactions by
 * what they name, block metas and slot statuses.
 * @throws FilterError when the plugin would refuse them, or for anything else.
 */
export function readFilters(request: SubscribeRequest): UpdateFilters {
  const { blocks, entry, transactionsStatus, accountsDataSlice, commitment = 0 } = request;
  const unserved = { blocks, entry, transactionsStatus, accountsDataSlice };
  for (const [name, filters] of Object.entries(unserved)) {
    if (Object.keys(filters).length > 0) throw new FilterError(`${name} is not served by this node`);
  }
  if (commitment !== CONFIRMED) throw new FilterError(`invalid commitment: ${commitment}`);
  const accounts = named(request.accounts, compileAccountFilter);
  const transactions = named(request.transactions, compileTransactionFilter);
  const [slots, blocksMeta] = [Object.keys(request.slots), Object.keys(request.blocksMeta)];

  return ({ reached, slot: { block, writes, transactions: records } }) => {
    const statusOf = (status: number) => update(slots, { slot: toSlotUpdate(block, status) });
    if (reached === 'finalized') return statusOf(SLOT_STATUS.finalized);
    return [
      ...statusOf(SLOT_STATUS.processed),
      ...writes.flatMap((write) =>
        update(matching(accounts, write), () => ({ account: toAccountUpdate(write, block) })),
      ),
      ...records.flatMap((record) =>
        update(matching(transactions, record), () => ({ transaction: toTransactionUpdate(record) })),
      ),
      ...update(blocksMeta, { blockMeta: toBlockMeta(block) }),
      ...statusOf(SLOT_STATUS.confirmed),
    ];
  };
}

function update(
  filters: string[],
  content: Omit<Update, 'filters'> | (() => Omit<Update, 'filters'>),
): readonly Update[] {
  return filters.length === 0 ? [] : [{ filters, ...(typeof content === 'function' ? content() : content) }];
}

function named<F, T>(filters: Readonly<Record<string, F>>, compile: (filter: F) => (one: T) => boolean): Named<T> {
  return Object.entries(filters).map(([name, filter]) => [name, compile(filter)] as const);
}

function matching<T>(filters: Named<T>, one: T): string[] {
  return filters.filter(([, matches]) => matches(one)).map(([name]) => name);
}

function compileAccountFilter({ account, owner, filters }: AccountFilter): (write: AccountWrite) => boolean {
  if (account.length > 0) throw new FilterError('accounts by address are not served by this node');
  if (filters.length > MAX_STATE_FILTERS) throw new FilterError(`at most ${MAX_STATE_FILTERS} filters are allowed`);
  const owners = readAddresses(owner);
  const contents = filters.map(compileContentFilter);
  return ({ state }) =>
    (owners.size === 0 || owners.has(state.owner)) && contents.every((matches) => matches(state.data));
}

function compileContentFilter({ memcmp, datasize }: AccountFilter['filters'][number]): (data: Uint8Array) => boolean {
  if (datasize !== undefined) return (data) => data.length === Number(datasize);
  const wanted = memcmp?.bytes;
  if (wanted === undefined) throw new FilterError('only sizes and bytes are compared by this node');
  if (wanted.length > MAX_MEMCMP_BYTES) throw new FilterError('data too large');
  const offset = Number(memcmp?.offset ?? 0);
  return (data) => Buffer.compare(data.subarray(offset, offset + wanted.length), wanted) === 0;
}

function compileTransactionFilter(filter: TransactionFilter): (record: TransactionRecord) => boolean {
  const { vote, failed, signature, accountInclude, accountExclude, accountRequired } = filter;
  if (failed !== undefined || signature !== undefined || accountExclude.length + accountRequired.length > 0)
    throw new FilterError('transactions are chosen by what they include alone by this node');
  const included = readAddresses(accountInclude);
  // There are no votes here.
  return ({ result }) => vote !== true && (included.size === 0 || result.accountKeys.some((key) => included.has(key)));
}

function readAddresses(texts: readonly string[]): ReadonlySet<Address> {
  return new Set(
    texts.map((text) => {
      if (!isAddress(text)) throw new FilterError(`invalid pubkey: ${text}`);
      return text;
    }),
  );
}
