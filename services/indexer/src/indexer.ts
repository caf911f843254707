import type { Bus } from '@lending/bus';
import type { Chain } from '@lending/chain';
import type { Logger, Metrics, Readiness } from '@lending/runtime';
import { listBankAddresses, type Store } from '@lending/store';
import { type Address, address } from '@solana/kit';
import { runProjector } from '#project/projector.ts';
import { runRetention } from '#project/retention.ts';
import { runRollUp } from '#project/roll-up.ts';
import { runBankWatcher } from '#watch/bank-watcher.ts';

export interface IndexerOptions {
  readonly chain: Chain;
  readonly bus: Bus;
  readonly store: Store;
  readonly program: Address;
  readonly group: Address;
  readonly collectMs: number;
  readonly reconcileMs: number;
  readonly rawSampleDays: number;
  readonly rateHourDays: number;
  /** How often it is looked whether an hour is over, in milliseconds; default: a minute. */
  readonly rollUpMs?: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/** Watches the banks, projects the topics, rolls up rates, drops what is too old. Resolves when the signal aborts and all stand still. */
export async function runIndexer(options: IndexerOptions, signal: AbortSignal): Promise<void> {
  const { chain, store, group, rollUpMs, logger } = options;
  const knownBanks = async (): Promise<readonly Address[]> =>
    (await listBankAddresses(store.db, { group, source: chain.source })).map((bank) => address(bank));
  await Promise.all([
    runBankWatcher({ ...options, knownBanks }, signal),
    runProjector(options, signal),
    runRollUp({ store, logger, ...(rollUpMs !== undefined && { everyMs: rollUpMs }) }, signal),
    runRetention(options, signal),
  ]);
}
