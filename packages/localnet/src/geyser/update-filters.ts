import { type Address, type Commitment, getBase58Encoder, isAddress } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { readTokenAccount } from '#ledger/token-balance.ts';
import { FilterError, readCommitment } from './commitment.ts';
import type { AccountMessage, FeedMessage, SlotMessage } from './feed-message.ts';
import type { AccountFilter, AccountStateFilter, SubscribeRequest, TransactionFilter } from './subscribe-request.ts';
import { SLOT_STATUS, type SubscribeUpdate } from './subscribe-update.ts';
import {
  type DataSlice,
  toAccountUpdate,
  toBlockMeta,
  toSlotUpdate,
  toStatusUpdate,
  toTransactionUpdate,
} from './to-update.ts';

/** What one stream wants to hear. */
export interface UpdateFilters {
  readonly commitment: Commitment;
  /** The updates a message means for this stream: often none, two when a transaction and its status are asked for. */
  updatesOf(message: FeedMessage): readonly SubscribeUpdate[];
}

type Named<T> = readonly (readonly [name: string, matches: (message: T) => boolean])[];

const MAX_STATE_FILTERS = 4;
const MAX_MEMCMP_BYTES = 128;

/**
 * Reads the filters of a request, as strictly as the plugin does.
 * @throws FilterError when it would refuse them, or when they ask for what is not served here (whole blocks, entries).
 */
export function readFilters(request: SubscribeRequest): UpdateFilters {
  if (request.blocks.size > 0 || request.entry.size > 0)
    throw new FilterError('blocks and entries are not served by this node');
  const commitment = readCommitment(request.commitment);
  const slices = readSlices(request.accountsDataSlice);
  const accounts = named(request.accounts, compileAccountFilter);
  const transactions = named(request.transactions, compileTransactionFilter);
  const statuses = named(request.transactionsStatus, compileTransactionFilter);
  const slots = named(request.slots, ({ filterByCommitment = false, interslotUpdates = false }) => {
    const own = SLOT_STATUS[commitment];
    return ({ status }: SlotMessage) =>
      (!filterByCommitment || status === own) && (interslotUpdates || status <= SLOT_STATUS.finalized);
  });
  const blocksMeta = [...request.blocksMeta.keys()];

  function updatesOf(message: FeedMessage): readonly SubscribeUpdate[] {
    switch (message.kind) {
      case 'account':
        return update(matching(accounts, message), () => ({ account: toAccountUpdate(message, slices) }));
      case 'transaction': {
        const { record } = message;
        return [
          ...update(matching(transactions, record), () => ({ transaction: toTransactionUpdate(record) })),
          ...update(matching(statuses, record), () => ({ transactionStatus: toStatusUpdate(record) })),
        ];
      }
      case 'slot':
        return update(matching(slots, message), () => ({ slot: toSlotUpdate(message) }));
      case 'blockMeta':
        return update(blocksMeta, () => ({ blockMeta: toBlockMeta(message.block) }));
      default:
        return message satisfies never;
    }
  }

  return { commitment, updatesOf };
}

function update(filters: readonly string[], make: () => Omit<SubscribeUpdate, 'filters'>): readonly SubscribeUpdate[] {
  return filters.length === 0 ? [] : [{ filters, ...make() }];
}

function named<F, T>(filters: ReadonlyMap<string, F>, compile: (filter: F) => (message: T) => boolean): Named<T> {
  return [...filters].map(([name, filter]) => [name, compile(filter)] as const);
}

function matching<T>(filters: Named<T>, message: T): readonly string[] {
  return filters.filter(([, matches]) => matches(message)).map(([name]) => name);
}

function compileAccountFilter(filter: AccountFilter): (message: AccountMessage) => boolean {
  const accounts = readAddresses(filter.account);
  const owners = readAddresses(filter.owner);
  const { nonemptyTxnSignature: wantsSignature, filters } = filter;
  if (filters.length > MAX_STATE_FILTERS) throw new FilterError(`at most ${MAX_STATE_FILTERS} filters are allowed`);
  const states = filters.map(compileStateFilter);
  return ({ address, state, signature }) =>
    (wantsSignature === undefined || wantsSignature === (signature !== null)) &&
    (accounts.size === 0 || accounts.has(address)) &&
    (owners.size === 0 || owners.has(state.owner)) &&
    states.every((matches) => matches(state));
}

function compileStateFilter(filter: AccountStateFilter): (state: AccountState) => boolean {
  const { memcmp, datasize, tokenAccountState, lamports } = filter;
  if (memcmp !== undefined) {
    const offset = Number(memcmp.offset ?? 0n);
    const wanted = readMemcmp(memcmp);
    return ({ data }) => Buffer.compare(data.subarray(offset, offset + wanted.length), wanted) === 0;
  }
  if (datasize !== undefined) return ({ data }) => data.length === Number(datasize);
  if (tokenAccountState === true) return (state) => readTokenAccount(state) !== undefined;
  if (lamports === undefined) throw new FilterError('filter should be defined');
  const { eq, ne, lt, gt } = lamports;
  return (state) =>
    (eq === undefined || state.lamports === eq) &&
    (ne === undefined || state.lamports !== ne) &&
    (lt === undefined || state.lamports < lt) &&
    (gt === undefined || state.lamports > gt);
}

function readMemcmp({ bytes, base58, base64 }: NonNullable<AccountStateFilter['memcmp']>): Uint8Array {
  const wanted =
    bytes ??
    (base58 === undefined ? undefined : new Uint8Array(getBase58Encoder().encode(base58))) ??
    (base64 === undefined ? undefined : Buffer.from(base64, 'base64'));
  if (wanted === undefined) throw new FilterError('data for memcmp should be defined');
  if (wanted.length > MAX_MEMCMP_BYTES) throw new FilterError('data too large');
  return wanted;
}

function compileTransactionFilter(
  filter: TransactionFilter,
): (record: Extract<FeedMessage, { readonly kind: 'transaction' }>['record']) => boolean {
  const included = readAddresses(filter.accountInclude);
  const excluded = readAddresses(filter.accountExclude);
  const required = [...readAddresses(filter.accountRequired)];
  const { vote, failed, signature } = filter;
  return (record) => {
    const { accountKeys, error } = record.result;
    // There are no votes here.
    if (vote === true || (failed !== undefined && failed !== (error !== null))) return false;
    if (signature !== undefined && signature !== record.signature) return false;
    if (included.size > 0 && !accountKeys.some((key) => included.has(key))) return false;
    return !accountKeys.some((key) => excluded.has(key)) && required.every((key) => accountKeys.includes(key));
  };
}

function readAddresses(texts: readonly string[]): ReadonlySet<Address> {
  return new Set(
    texts.map((text) => {
      if (!isAddress(text)) throw new FilterError(`invalid pubkey: ${text}`);
      return text;
    }),
  );
}

function readSlices(slices: SubscribeRequest['accountsDataSlice']): readonly DataSlice[] {
  const read = slices.map(({ offset = 0n, length = 0n }) => ({ start: Number(offset), end: Number(offset + length) }));
  for (const [index, slice] of read.entries()) {
    const before = read[index - 1];
    if (before !== undefined && slice.start < before.start) throw new FilterError('data slices out of order');
    if (before !== undefined && slice.start < before.end) throw new FilterError('data slices overlap');
  }
  return read;
}
