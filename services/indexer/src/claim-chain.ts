import type { Chain } from '@lending/chain';
import { createOutage, type Logger, type Readiness, retryWithJitter } from '@lending/runtime';
import { claimChain, type Store } from '@lending/store';

export interface ClaimChainOptions {
  readonly chain: Chain;
  readonly store: Store;
  readonly logger: Logger;
  readonly readiness: Readiness;
}

/**
 * Waits until the node says which chain it serves, and makes the tables belong to that chain. Nothing may be published or
 * projected before.
 * @returns false when the signal aborted first.
 * @throws STORE__CHAIN_MISMATCH when the tables hold another chain's rows: a person has to choose.
 */
export async function claimNodesChain(options: ClaimChainOptions, signal: AbortSignal): Promise<boolean> {
  const { chain, store, logger, readiness } = options;
  const outage = createOutage({
    component: readiness.component('chain'),
    logger,
    failEvent: 'chain.identity.fail',
    resumeEvent: 'chain.identity.resume',
  });
  const claim = async (): Promise<void> => {
    const genesisHash = await chain.fetchGenesisHash({ signal });
    await claimChain(store.db, { genesisHash, source: chain.source });
  };
  try {
    await retryWithJitter(claim, { signal, maxDelayMs: 5_000, onRetry: (error) => outage.failed(error) });
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
  outage.recovered();
  return true;
}
