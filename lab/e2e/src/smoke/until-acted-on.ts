import { MARGINFI_PROGRAM } from '@lending/programs';
import { address, createSolanaRpc } from '@solana/kit';
import { vi } from 'vitest';

const PATIENCE_MS = 120_000;

/** Waits until people made so many transactions on a local chain: a fresh one has nobody who owes anything. */
export async function untilActedOn(rpcUrl: string, transactions: number): Promise<void> {
  const rpc = createSolanaRpc(rpcUrl);
  await vi.waitFor(
    async () => {
      const made = await rpc.getSignaturesForAddress(address(MARGINFI_PROGRAM), { limit: transactions }).send();
      if (made.length < transactions) throw new Error(`${made.length} of ${transactions} transactions were made`);
    },
    { timeout: PATIENCE_MS, interval: 500 },
  );
}
