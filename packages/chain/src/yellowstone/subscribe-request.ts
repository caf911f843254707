import type { ProgramFilter } from '../program-filter.ts';
import type { ProgramTarget } from '../program-source.ts';
import { CONFIRMED, type GeyserRequest } from './geyser-client.ts';

type AccountsFilter = NonNullable<GeyserRequest['accounts'][string]>;

const NOTHING: GeyserRequest = {
  accounts: {},
  slots: {},
  transactions: {},
  transactionsStatus: {},
  blocks: {},
  blocksMeta: {},
  entry: {},
  accountsDataSlice: [],
};

/** The answer to a server's ping; it leaves the filters as they are. */
export const PING: GeyserRequest = { ...NOTHING, ping: { id: 1 } };

/**
 * What a watch asks for: accounts by owner and filters, transactions that name the program, every slot's status and block meta.
 * Transactions are asked for even where they are not to be told: they alone say that an account was closed.
 */
export function toSubscribeRequest({ program, accounts }: ProgramTarget, fromSlot: bigint | null): GeyserRequest {
  const filters = accounts.map((list, index): [string, AccountsFilter] => [
    `accounts ${index}`,
    { account: [], owner: [program], filters: list.map(toFilter) },
  ]);
  return {
    ...NOTHING,
    accounts: Object.fromEntries(filters),
    slots: { slots: {} },
    transactions: {
      transactions: { vote: false, accountInclude: [program], accountExclude: [], accountRequired: [] },
    },
    blocksMeta: { blocks: {} },
    commitment: CONFIRMED,
    ...(fromSlot === null ? {} : { fromSlot: fromSlot.toString() }),
  };
}

function toFilter(filter: ProgramFilter): AccountsFilter['filters'][number] {
  return filter.kind === 'size'
    ? { datasize: filter.bytes.toString() }
    : { memcmp: { offset: filter.offset.toString(), bytes: filter.bytes } };
}
