import type { Chain } from '@lending/chain';
import { createOutage, type Logger, type Readiness, runBeat } from '@lending/runtime';
import { orderFilters } from '@lending/venues';
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

/** Reads standing orders: a subscription with filters does not tell that one is gone, but its account counts them. */
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

  /** Lists orders, of one account or all; those known and not listed are gone. */
  async function read(account: Address | undefined, minSlot: Slot, signal: AbortSignal): Promise<void> {
    const known = [...publisher.orders].filter(([, owner]) => account === undefined || owner === account);
    const highest = chain.getHighestSlot('confirmed') ?? 0n;
    const minContextSlot = highest > minSlot ? highest : minSlot;
    const listed = await chain.fetchProgramAccounts(program, orderFilters(account), { signal, minContextSlot });
    const seen = { kind: 'order', slot: listed.slot, writeVersion: null, isAsked: false } as const;
    const found = new Set(listed.accounts.map(({ address }) => address));
    for (const bytes of listed.accounts) publisher.add({ ...seen, address: bytes.address, bytes });
    for (const [address] of known) if (!found.has(address)) publisher.add({ ...seen, address, bytes: null });
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
