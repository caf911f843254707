import type { Chain } from '@lending/chain';
import { createOutage, type Logger, type Readiness, runBeat } from '@lending/runtime';
import type { Address } from '@solana/kit';
import type { DueBanks } from './due-banks.ts';

export interface KnownBanksOptions {
  readonly chain: Chain;
  readonly program: Address;
  readonly group: Address;
  readonly reconcileMs: number;
  /** Banks of the group that were on this chain when somebody last looked. */
  readonly knownBanks: () => Promise<readonly Address[]>;
  readonly logger: Logger;
  readonly readiness: Readiness;
}

/**
 * Marks the banks that are known from before, at the start and on every reconciliation: one that was closed while nobody watched
 * is in no listing, and only a reading tells that it is gone. A beat of its own, because the watcher has to go on while those who
 * know the banks cannot be asked. Resolves when the signal aborts.
 */
export async function markKnownBanks(options: KnownBanksOptions, due: DueBanks, signal: AbortSignal): Promise<void> {
  const outage = createOutage({
    component: options.readiness.component('known-banks'),
    logger: options.logger,
    failEvent: 'bank.recall.fail',
    resumeEvent: 'bank.recall.resume',
  });
  const mark = async (): Promise<void> => {
    const banks = await options.knownBanks();
    if (banks.length > 0 && (await isGroupHere(options, signal))) due.add(banks);
    outage.recovered();
  };
  await runBeat(options.reconcileMs, signal, mark, { maxDelayMs: 5_000, onError: (error) => outage.failed(error) });
}

/** A group belongs to one program. Under another one, or on a chain without it, its banks are not gone but out of sight. */
async function isGroupHere({ chain, program, group }: KnownBanksOptions, signal: AbortSignal): Promise<boolean> {
  const [answer] = await chain.fetchAccountGroups([[group]], { signal, minContextSlot: 'highest-seen' });
  return answer?.accounts[0]?.owner === program;
}
