import { type LocalnetNode, type OpenedLocalnet, openLocalnet } from '@lending/localnet';

/** One chain with a node for each: one that never fails, and two that are made to. */
export interface ChaosChain {
  readonly localnet: OpenedLocalnet;
  readonly steady: LocalnetNode;
  readonly struck: readonly [LocalnetNode, LocalnetNode];
  /** Drops the last confirmed slots; every other transaction is sent again, and lands if its blockhash was not dropped, too. */
  dropFork(slots: number): ReturnType<OpenedLocalnet['ledger']['dropFork']>;
  stop(): Promise<void>;
}

export const SLOT_MS = 100;
/** Enough for a fork to take some; `npm run prove` sets more. */
const TRANSACTIONS_PER_SECOND = Number(process.env.CHAOS_TRANSACTIONS_PER_SECOND ?? 15);

export async function openChaosChain(): Promise<ChaosChain> {
  const localnet = await openLocalnet({
    genesis: { kind: 'demo' },
    slotMs: SLOT_MS,
    transactionsPerSecond: TRANSACTIONS_PER_SECOND,
  });
  await localnet.start();
  const { ledger } = localnet;
  return {
    localnet,
    steady: localnet,
    struck: [await localnet.openNode(), await localnet.openNode()],
    dropFork(slots) {
      let isSentAgain = false;
      const relanding = () => {
        isSentAgain = !isSentAgain;
        return isSentAgain;
      };
      return ledger.dropFork({ slots, relanding });
    },
    stop: () => localnet.stop(),
  };
}
