import type { Chain } from '@lending/chain';
import { LendingError } from '@lending/errors';
import { retryWithJitter } from '@lending/runtime';
import type { Address } from '@solana/kit';
import type { Leadership } from '#leadership.ts';
import { type BackfillOptions, runBackfill } from './run-backfill.ts';
import type { Backfill } from './venue-histories.ts';

/** Pause between two questions to one venue's service. */
const PAUSE_MS = 1_000;

export interface BackfillOnceOptions extends Pick<BackfillOptions, 'bus' | 'listReserves' | 'logger' | 'metrics'> {
  readonly backfill?: Backfill;
  readonly chain: Chain;
  /** An account that exists on the chain: what is read beside it is the clock. */
  readonly program: Address;
  readonly leadership: Leadership;
}

/** Takes over the venues' own history as soon as this process leads; never fails, since sampling goes on without it. */
export async function backfillOnceLeading(options: BackfillOnceOptions, signal: AbortSignal): Promise<void> {
  const { backfill, chain, program, leadership } = options;
  if (backfill === undefined || backfill.histories.length === 0) return;
  async function now() {
    const [group] = await chain.fetchAccountGroups([[program]], { signal });
    if (group === undefined) throw new LendingError('CHAIN__RPC_INVALID', { message: 'The node answers no group' });
    return { slot: group.slot, unixTimestamp: group.unixTimestamp };
  }
  try {
    await leadership.untilLeading(signal);
    const listReserves = () => retryWithJitter(options.listReserves, { signal });
    await runBackfill({ ...options, ...backfill, listReserves, pauseMs: PAUSE_MS, source: chain.source, now }, signal);
  } catch (error) {
    if (!signal.aborted) options.logger.error('rate.backfill.stop', { error });
  }
}
