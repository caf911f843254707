import { recallAudits } from '@lending/audit';
import type { Bus } from '@lending/bus';
import type { Chain, ProgramSource } from '@lending/chain';
import type { Logger, Metrics, Readiness } from '@lending/runtime';
import {
  listAccountAddresses,
  listBankAddresses,
  listBankAudits,
  listFollowedAddresses,
  listOrders,
  listRebalanceOrders,
  listUnfinalSlots,
  listUnfinishedProgress,
  readChainProgress,
  type Store,
} from '@lending/store';
import { accountFilters, bankFilters, groupFilters, kindOfAccount, orderFilters } from '@lending/venues';
import { type Address, address } from '@solana/kit';
import { createAuditor } from '#audit/auditor.ts';
import { runAudit } from '#audit/run-audit.ts';
import { createAccountWatcher } from '#watch/accounts/account-watcher.ts';
import { createFollowedAccounts, type IndexScope } from '#watch/accounts/followed-accounts.ts';
import { type ActivityMemory, type ActivityTuning, createActivityIndexing } from '#watch/activity/activity-indexing.ts';
import { type BankWatcherOptions, createBankWatcher } from '#watch/banks/bank-watcher.ts';
import { createFollows, type FollowRequests } from '#watch/follows/follows.ts';
import { followProgram, withAccounts } from '#watch/program-stream.ts';
import { createReadBudget } from '#watch/read-budget.ts';
import { createSlotClock } from '#watch/slot-clock.ts';
import { createWalletWatcher } from '#watch/wallets/wallet-watcher.ts';

/** What is indexed, and how hard the node is worked for it. */
export interface IndexingOptions {
  readonly scope: IndexScope;
  /** Days of everybody's past that are read where nothing was read before; null: all there is. */
  readonly pastDays: number | null;
  readonly readsPerSecond: number;
  readonly accountReconcileMs: number;
  readonly walletRefreshMs: number;
  /** How long an address is followed after somebody asked for it last, in milliseconds. */
  readonly followIdleMs: number;
}

export interface RunIndexingOptions extends IndexingOptions, Pick<BankWatcherOptions, 'collectMs' | 'reconcileMs'> {
  readonly chain: Chain;
  readonly source: ProgramSource;
  readonly bus: Bus;
  readonly store: Store;
  readonly program: Address;
  readonly group: Address;
  /** Calls back whenever somebody newly asks for an address; gives the function that stops it. */
  readonly listenFollowed: FollowRequests['onChange'];
  readonly activityTuning?: ActivityTuning;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/** More than the api lets in; the rest of a list that somebody else filled is left alone. */
const MAX_FOLLOWS = 50_000;

/**
 * Indexes banks, accounts, orders, activity and wallets: one stream feeds the watchers, requests say whom else to look at, and all share one
 * clock and one ceiling of reads. Resolves when the signal aborts.
 */
export async function runIndexing(options: RunIndexingOptions, signal: AbortSignal): Promise<void> {
  const { chain, source, program, group, store } = options;
  const clock = createSlotClock(chain);
  const shared = { ...options, clock, budget: createReadBudget(options.readsPerSecond) };
  const followed = createFollowedAccounts(options.scope, (asked) => {
    follows.answerAgain(asked, ['accounts', 'activity'], signal);
  });
  const wallets = createWalletWatcher({ ...shared, everyMs: options.walletRefreshMs });
  const accounts = createAccountWatcher({
    ...shared,
    followed,
    reconcileMs: options.accountReconcileMs,
    ...accountMemory(options),
    followsReady: () => follows.ready,
    refollow: (stopping) => follows.refollow(stopping),
    onChanged: wallets.markChanged,
  });
  const activity = createActivityIndexing(
    {
      ...shared,
      memory: activityMemory(store),
      sinks: [accounts],
      markDue: accounts.markDue,
      reread(aboveSlot, forkedAbove) {
        accounts.reread(aboveSlot);
        auditor.takeBack(forkedAbove);
      },
      onFollowComplete: (asked) => follows.answerAgain(asked, ['activity'], signal),
      ...(options.activityTuning && { tuning: options.activityTuning }),
    },
    signal,
  );
  const requests: FollowRequests = {
    list: async () =>
      (await listFollowedAddresses(store.db)).map((row) => ({
        address: row.address,
        aspect: row.aspect,
        followedMs: row.followed_at.getTime(),
        isAnswered: row.answered_slot !== null,
        accounts: (row.accounts ?? []).map((account) => address(account)),
      })),
    onChange: options.listenFollowed,
  };
  const follows = createFollows({
    ...shared,
    requests,
    followed,
    accounts,
    wallets,
    activity: activity.follower,
    limit: MAX_FOLLOWS,
  });
  const auditor = createAuditor(options);
  const banks = createBankWatcher({
    ...options,
    onRead: auditor.read,
    sourceKind: source.kind,
    knownBanks: async () =>
      (await listBankAddresses(store.db, { group, source: chain.source })).map((bank) => address(bank)),
  });
  const filters = [accountFilters(group), orderFilters(), bankFilters(group), groupFilters()];
  const target = { program, accounts: filters, transactions: true };
  const isOfSomeone = (data: Uint8Array): boolean => !['bank', 'group'].includes(kindOfAccount(data) ?? '');
  const sinks = [
    withAccounts(accounts, isOfSomeone),
    withAccounts(activity.sink, isOfSomeone),
    withAccounts(banks, (data) => kindOfAccount(data) === 'bank'),
    auditor,
  ];
  await Promise.all([
    clock.run(signal),
    accounts.run(signal),
    banks.run(signal),
    runAudit(auditor, { ...options, source: chain.source, timeOf: clock.timeOf, recall: recallOf(options) }, signal),
    activity.run(),
    wallets.run(signal),
    follows.run(signal),
    followProgram(source, target, sinks, { ...options, signal }),
  ]);
}

/** What an earlier process found of our figures. */
function recallOf({ chain, store }: RunIndexingOptions) {
  return async () => recallAudits(await listBankAudits(store.db, { source: chain.source }));
}

/** Accounts and orders that were on this chain when somebody last looked. */
function accountMemory({ chain, store, group }: RunIndexingOptions) {
  return {
    knownAccounts: async () =>
      (await listAccountAddresses(store.db, { group, source: chain.source })).map((account) => address(account)),
    knownOrders: async () => (await listOrders(store.db, { source: chain.source })).map(toKnownOrder),
    knownRebalanceOrders: async () => (await listRebalanceOrders(store.db, { source: chain.source })).map(toKnownOrder),
  };
}

function toKnownOrder(order: { readonly address: string; readonly account: string }) {
  return [address(order.address), address(order.account)] as const;
}

/** What an earlier process left undone. */
function activityMemory({ db }: Store): ActivityMemory {
  return {
    listUnfinalSlots: () => listUnfinalSlots(db),
    async readProgress() {
      const row = await readChainProgress(db);
      return row && { tipSlot: row.tip_slot, rootSlot: row.root_slot };
    },
    async listUnfinished() {
      const rows = await listUnfinishedProgress(db);
      return rows.flatMap((row) => {
        if (row.kind !== 'activity' || row.address === null) return [];
        const { cursor_signature: signature, cursor_slot: slot } = row;
        return [
          {
            task: row.task,
            address: address(row.address),
            fromSlot: row.from_slot,
            untilSlot: row.until_slot,
            cursor: signature === null || slot === null ? null : { signature, slot },
            done: Number(row.done),
            isComplete: false,
          },
        ];
      });
    },
  };
}
