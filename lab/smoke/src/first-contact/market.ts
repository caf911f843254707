import {
  CLOCK_SYSVAR,
  marginfiGroupLayout,
  type ProgramVersion,
  RENT_SYSVAR,
  readLookupTable,
  rebalanceOrderLayout,
} from '@lending/programs';
import {
  accountsToRefresh,
  askProgram,
  createAccountSet,
  findPayer,
  judgeProgram,
  momentOf,
  type ReadAccount,
  type RunningProgram,
  readProgram,
} from '@lending/transactions';
import {
  bankFilters,
  type ContentFilter,
  decodeBank,
  decodeGroup,
  decodeOrder,
  decodeRebalanceOrder,
  type Moment,
  oracleAccountsOf,
  orderFilters,
  type P0Bank,
  type P0Group,
  type P0Order,
  type P0RebalanceOrder,
  rebalanceOrderFilters,
} from '@lending/venues';
import { type Address, getAddressDecoder, getBase58Decoder } from '@solana/kit';
import { type AskedChain, type Node, toUpdate } from '#node/node.ts';

/** What stands on the chain of one group, read once. Bytes of oracles and venues go on changing: simulations bring newer ones. */
export interface Market {
  readonly program: Address;
  /** Where its code lies; null for a program that cannot be replaced. */
  readonly programData: Address | null;
  readonly group: P0Group;
  readonly running: RunningProgram;
  /** Of the program that runs; where it is not known, the newest known here, which then only reads. */
  readonly version: ProgramVersion;
  readonly banks: ReadonlyMap<Address, P0Bank>;
  /** Banks that cannot be read, and why. */
  readonly unreadable: readonly string[];
  readonly orders: readonly P0Order[];
  readonly rebalanceOrders: readonly P0RebalanceOrder[];
  readonly lookupTables: Readonly<Record<Address, readonly Address[]>>;
  readonly moment: Moment;
  readonly read: ReadAccount;
  /** A wallet that can pay for simulations; null where none was found, and nothing can be simulated. */
  readonly payer: Address | null;
}

export interface Place {
  readonly node: Node;
  readonly chain: AskedChain;
  readonly program: Address;
  readonly group: Address;
  readonly lookupTables: readonly Address[];
}

/** An account that names another that names another further than this is none that we know. */
const MOST_WAVES = 8;

/**
 * Reads the program, its group, all banks with their oracles and venues, and all orders.
 * @throws Error with one line where the program or the group is not on this chain, or the node does not answer.
 */
export async function readMarket(place: Place): Promise<Market> {
  const { node, chain, program, group } = place;
  const programData = await findProgramData(place);
  const listed = await listAccounts(node, program, bankFilters(group));
  const banks = new Map<Address, P0Bank>();
  const unreadable: string[] = [];
  for (const account of listed) {
    try {
      banks.set(account.address, decodeBank(account, program));
    } catch (error) {
      unreadable.push(`bank ${account.address} cannot be read: ${(error as Error).message}`);
    }
  }
  if (banks.size === 0) throw new Error(`The group ${group} has no bank that can be read on this chain`);
  const set = createAccountSet();
  const wanted = async () => {
    const each = await Promise.all(
      [...banks.values()].map(async (bank) => [
        ...[bank.mint, bank.liquidityVault, ...oracleAccountsOf(bank)],
        ...(await accountsToRefresh(bank, set.get).catch(() => [])),
      ]),
    );
    const all = new Set<Address>([group, CLOCK_SYSVAR, RENT_SYSVAR, ...place.lookupTables, ...each.flat()]);
    return [...all].filter((address) => set.get(address) === undefined);
  };
  for (let wave = 0, missing = await wanted(); missing.length > 0 && wave < MOST_WAVES; wave += 1) {
    set.add(await chain.fetchAccounts(missing));
    missing = await wanted();
  }
  const accounts = set.toLiveAccounts();
  const groupAccount = set.get(group);
  if (!groupAccount) throw new Error(`There is no group at ${group} on this chain`);
  const reading = await readProgram(chain, { program, group }, [...banks.keys()]);
  const running = await judgeProgram(reading, askProgram(chain, { program, group }));
  const orders = await listAccounts(node, program, orderFilters());
  const rebalances = await listAccounts(node, program, rebalanceOrderFilters());
  return {
    program,
    programData,
    group: decodeGroup(groupAccount, program),
    running,
    version: running.version ?? '0.1.12',
    banks,
    unreadable,
    orders: orders.map((account) => decodeOrder(account, program)),
    rebalanceOrders: rebalances
      .filter(({ data }) => data.length >= rebalanceOrderLayout.fixedSize)
      .map((account) => decodeRebalanceOrder(account, program)),
    lookupTables: Object.fromEntries(
      place.lookupTables.flatMap((table) => {
        const account = set.get(table);
        return account ? [[table, readLookupTable(account.data, accounts.slot)]] : [];
      }),
    ),
    moment: momentOf(accounts),
    read: set.get,
    payer: await findPayer(chain, group),
  };
}

/** An account of the loader that names another one with the code. */
const NAMES_CODE = { bytes: 36, tag: 2, address: 4 } as const;

/** Where the program's code lies, on a chain that has the program and the group at all. */
async function findProgramData({ node, chain, program, group }: Place): Promise<Address | null> {
  const [batch] = await chain.fetchAccounts([program, group]);
  const [code, account] = batch?.accounts ?? [];
  const place = `on the chain of ${node.host}: check the cluster, P0_PROGRAM and P0_GROUP`;
  if (!code) throw new Error(`There is no program at ${program} ${place}`);
  if (!account) throw new Error(`There is no group at ${group} ${place}`);
  const isGroup = marginfiGroupLayout.discriminator.every((byte, nth) => account.data[nth] === byte);
  if (account.owner !== program || !isGroup) throw new Error(`${group} is no group of ${program} ${place}`);
  const isNaming = code.data.length === NAMES_CODE.bytes && code.data[0] === NAMES_CODE.tag;
  return isNaming ? getAddressDecoder().decode(code.data, NAMES_CODE.address) : null;
}

type ListedAccount = NonNullable<ReturnType<typeof toUpdate>>;
type RpcListed = { readonly pubkey: Address; readonly account: Parameters<typeof toUpdate>[2] };

/** All accounts of a program that pass the filters, with their bytes; without them (`slice` of nothing) where only addresses are wanted. */
export async function listAccounts(
  node: Node,
  program: Address,
  filters: readonly ContentFilter[],
  slice?: { readonly offset: number; readonly length: number },
): Promise<readonly ListedAccount[]> {
  const { context, value } = await node.ask<{
    readonly context: { readonly slot: number };
    readonly value: readonly RpcListed[];
  }>('getProgramAccounts', [
    program,
    {
      ...{ encoding: 'base64', commitment: 'confirmed', withContext: true },
      ...(slice && { dataSlice: slice }),
      filters: filters.map(({ offset, bytes }) => ({ memcmp: { offset, bytes: getBase58Decoder().decode(bytes) } })),
    },
  ]);
  return value.flatMap(({ pubkey, account }) => toUpdate(pubkey, BigInt(context.slot), account) ?? []);
}
