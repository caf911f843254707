import type { Chain } from '@lending/chain';
import { createOutage, type Logger, type Readiness, runBeat } from '@lending/runtime';
import {
  type AccountBytes,
  decodeRebalanceOrder,
  findFeePoolOfAccount,
  orderFilters,
  rebalanceOrderFilters,
} from '@lending/venues';
import type { Address, Slot } from '@solana/kit';
import type { AccountPublisher } from '#publish/account-publisher.ts';
import type { ReadBudget } from '#watch/read-budget.ts';

export interface OrderReaderOptions {
  readonly chain: Chain;
  readonly program: Address;
  readonly budget: ReadBudget;
  readonly publisher: AccountPublisher;
  /** How often it is looked whether something is due, in milliseconds. */
  readonly lookMs: number;
  readonly logger: Logger;
  readonly readiness: Readiness;
}

/** Reads standing orders, those to rebalance and their pools too: a subscription with filters does not tell that one is gone, but its account counts them. */
export interface OrderReader {
  /** The orders of an account may differ from what is known. */
  markDue(account: Address): void;
  /** Reads all orders, as of a slot or later. */
  readAll(minSlot: Slot, signal: AbortSignal): Promise<void>;
  run(signal: AbortSignal): Promise<void>;
}

export function createOrderReader(options: OrderReaderOptions): OrderReader {
  const { chain, program, budget, publisher, logger } = options;
  const due = new Set<Address>();
  const outage = createOutage({
    component: options.readiness.component('order-reader'),
    logger,
    failEvent: 'order.read.fail',
    resumeEvent: 'order.read.resume',
  });

  /** Lists orders of both kinds, of one account or all; those known and not listed are gone. */
  async function read(account: Address | undefined, minSlot: Slot, signal: AbortSignal): Promise<void> {
    const highest = chain.getHighestSlot('confirmed') ?? 0n;
    const options = { signal, minContextSlot: highest > minSlot ? highest : minSlot };
    await readKind('order', account, options);
    await budget.take(signal);
    await readKind('rebalance_order', account, options);
  }

  async function readKind(
    kind: 'order' | 'rebalance_order',
    account: Address | undefined,
    options: { readonly signal: AbortSignal; readonly minContextSlot: Slot },
  ): Promise<void> {
    const [filters, all] =
      kind === 'order'
        ? [orderFilters(account), publisher.orders]
        : [rebalanceOrderFilters(account), publisher.rebalanceOrders];
    const known = [...all].filter(([, owner]) => account === undefined || owner === account);
    const listed = await chain.fetchProgramAccounts(program, filters, options);
    const pools = kind === 'order' ? null : await readPools(listed.accounts, options);
    const seen = { kind, slot: listed.slot, writeVersion: null, isAsked: false } as const;
    const found = new Set(listed.accounts.map(({ address }) => address));
    for (const bytes of listed.accounts) {
      const feePoolLamports = pools?.get(bytes.address) ?? 0n;
      publisher.add({ ...seen, address: bytes.address, bytes, feePoolLamports });
    }
    for (const [address] of known) if (!found.has(address)) publisher.add({ ...seen, address, bytes: null });
  }

  /** What the pools for tips of orders' accounts hold, by order. One that does not exist holds nothing. */
  async function readPools(
    orders: readonly AccountBytes[],
    options: { readonly signal: AbortSignal; readonly minContextSlot: Slot },
  ): Promise<ReadonlyMap<Address, bigint>> {
    if (orders.length === 0) return new Map();
    const pools = await Promise.all(orders.map((bytes) => poolOf(bytes)));
    await budget.take(options.signal);
    const groups = await chain.fetchAccountGroups(
      pools.map((pool) => (pool === null ? [] : [pool])),
      options,
    );
    return new Map(orders.map(({ address }, index) => [address, groups[index]?.accounts[0]?.lamports ?? 0n]));
  }

  /** Null for an order that cannot be read: the publisher says so. */
  async function poolOf(bytes: AccountBytes): Promise<Address | null> {
    try {
      return await findFeePoolOfAccount(decodeRebalanceOrder(bytes, program).account, program);
    } catch {
      return null;
    }
  }

  async function readDue(signal: AbortSignal): Promise<void> {
    for (const account of [...due]) {
      await budget.take(signal);
      due.delete(account);
      try {
        await read(account, 0n, signal);
      } catch (error) {
        due.add(account);
        throw error;
      }
    }
    outage.recovered();
  }

  return {
    markDue: (account) => void due.add(account),
    readAll: (minSlot, signal) => read(undefined, minSlot, signal),
    run: (signal) =>
      runBeat(options.lookMs, signal, readDue, { maxDelayMs: 5_000, onError: (error) => outage.failed(error) }),
  };
}
