import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountUpdate, Chain } from '@lending/chain';
import { LendingError } from '@lending/errors';
import type { EventOf, Message } from '@lending/events';
import {
  type AccountContent,
  anyAddress,
  CHAIN_SECONDS,
  createLineLogger,
  GROUP,
  lendingAccountContent,
} from '@lending/fakes';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { createMetrics, createReadiness } from '@lending/runtime';
import type { Address, Slot } from '@solana/kit';
import { createAccountWatcher } from '#watch/accounts/account-watcher.ts';
import { createFollowedAccounts, type IndexScope } from '#watch/accounts/followed-accounts.ts';
import { createReadBudget } from '#watch/read-budget.ts';
import { createSlotClock } from '#watch/slot-clock.ts';

/** One write of one account; null closes it. */
interface Write {
  readonly slot: Slot;
  readonly content: AccountContent | null;
}

/** A chain of lending accounts whose nodes lag, a log that fails, and a watcher of them. */
export interface AccountWorld {
  readonly watcher: ReturnType<typeof createAccountWatcher>;
  readonly followed: ReturnType<typeof createFollowedAccounts>;
  readonly published: Message[];
  readonly log: { refusals: number };
  readonly node: { isDown: boolean; lagSlots: number };
  readonly lines: ReturnType<typeof createLineLogger>['lines'];
  slot(): Slot;
  /** Writes an account in the next slot, or closes it. */
  write(account: Address, content: AccountContent | null): Slot;
  /** The account as of a slot. */
  stateAt(account: Address, slot: Slot): AccountUpdate | null;
  /** What was published last of an account. */
  lastOf(account: Address): EventOf<'account.updated.v1'> | undefined;
  stop(): Promise<void>;
}

export interface WorldOptions {
  readonly scope?: IndexScope;
  readonly known?: readonly Address[];
  /** 0 to 1. */
  readonly random?: () => number;
}

/** A lending account that says which of its writes it is. */
export function madeAccount(nth: number, authority?: Address): AccountContent {
  return lendingAccountContent({ lastUpdate: BigInt(nth), ...(authority !== undefined && { authority }) });
}

export const accountAddress = (nth: number): Address => anyAddress(5_000 + nth);

export function createAccountWorld({ scope = 'all', known = [], random = () => 0 }: WorldOptions = {}): AccountWorld {
  const writes = new Map<Address, Write[]>();
  const published: Message[] = [];
  const log = { refusals: 0 };
  const node = { isDown: false, lagSlots: 0 };
  let tip: Slot = 1_000n;
  const { logger, lines } = createLineLogger();

  function stateAt(address: Address, slot: Slot): AccountUpdate | null {
    const write = writes.get(address)?.findLast((one) => one.slot <= slot);
    return write?.content ? { address, slot, lamports: 1n, ...write.content } : null;
  }

  /** A node answers as of any slot that it may, after a while. */
  async function answerSlot(minContextSlot: unknown): Promise<Slot> {
    await sleep(random() * 3);
    const least = typeof minContextSlot === 'bigint' ? minContextSlot : 0n;
    const lagging = tip - BigInt(Math.floor(random() * (node.lagSlots + 1)));
    const slot = lagging > least ? lagging : least;
    if (node.isDown || slot > tip) throw new LendingError('CHAIN__RPC_UNAVAILABLE');
    return slot;
  }

  const chain: Chain = {
    source: 'localnet',
    getHighestSlot: () => undefined,
    async fetchAccountGroups(groups, options) {
      const slot = await answerSlot(options?.minContextSlot);
      const accounts = groups.map((group) => group.map((address) => stateAt(address, slot)));
      await sleep(random() * 3);
      const moment = { slot, unixTimestamp: CHAIN_SECONDS + slot, epoch: 1n, epochStart: 0n };
      return accounts.map((group) => ({ ...moment, accounts: group }));
    },
    async fetchProgramAccounts(_, filters, options) {
      const slot = await answerSlot(options?.minContextSlot);
      const all = [...writes.keys()].flatMap((address) => stateAt(address, slot) ?? []);
      const accounts = all.filter(({ data }) =>
        filters.every((one) => one.kind === 'size' || one.bytes.every((byte, at) => data[one.offset + at] === byte)),
      );
      await sleep(random() * 3);
      return { slot, accounts };
    },
    async listProgramAccounts(program, filters, options) {
      const { slot, accounts } = await chain.fetchProgramAccounts(program, filters, options);
      return { slot, addresses: accounts.map(({ address }) => address) };
    },
  } as Pick<
    Chain,
    'source' | 'getHighestSlot' | 'fetchAccountGroups' | 'fetchProgramAccounts' | 'listProgramAccounts'
  > as Chain;

  const followed = createFollowedAccounts(scope, () => undefined);
  const clock = createSlotClock(chain);
  clock.observe(1_000n, CHAIN_SECONDS);
  const watcher = createAccountWatcher({
    chain,
    bus: {
      async publish(messages: readonly Message[]) {
        await sleep(random() * 2);
        if (log.refusals > 0) {
          log.refusals -= 1;
          published.push(...messages.slice(0, Math.floor(random() * (messages.length + 1))));
          throw new LendingError('BUS__UNAVAILABLE');
        }
        published.push(...messages);
      },
    },
    program: MARGINFI_PROGRAM,
    group: GROUP,
    followed,
    clock,
    budget: createReadBudget(100_000),
    reconcileMs: 600_000,
    // As the tables have it: what was said, and what they had before.
    knownAccounts: async () => [
      ...known,
      ...published.flatMap(({ type, key }) => (type === 'account.updated.v1' ? [key as Address] : [])),
    ],
    knownOrders: async () => [],
    knownRebalanceOrders: async () => [],
    followsReady: async () => undefined,
    refollow: async () => undefined,
    onChanged: () => undefined,
    patienceMs: 5,
    lookMs: 3,
    logger,
    metrics: createMetrics(),
    readiness: createReadiness(),
  });
  const controller = new AbortController();
  const running = watcher.run(controller.signal);
  return {
    watcher,
    followed,
    published,
    log,
    node,
    lines,
    slot: () => tip,
    write(account, content) {
      tip += 1n;
      writes.set(account, [...(writes.get(account) ?? []), { slot: tip, content }]);
      return tip;
    },
    stateAt,
    lastOf: (account) =>
      published.findLast(
        (one): one is Message<'account.updated.v1'> => one.type === 'account.updated.v1' && one.key === account,
      )?.payload,
    async stop() {
      controller.abort();
      await running;
    },
  };
}
