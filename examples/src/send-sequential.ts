import type { Signature } from '@solana/kit';
import type { NodePort } from './node-port.ts';
import { DEFAULT_PACE, type Pace } from './pace.ts';
import { expired, failed } from './sending-error.ts';
import type { SignedTransaction } from './sign-envelope.ts';

/**
 * Sends transactions in order, each after the one before it is confirmed, the same bytes again and again until they land.
 * @throws SendingError when one fails on the chain, is refused by the node, or has not landed by `lastValidBlockHeight`. Those before it
 *   have landed.
 */
export async function sendSequential(
  node: NodePort,
  transactions: readonly SignedTransaction[],
  lastValidBlockHeight: bigint,
  pace: Pace = DEFAULT_PACE,
): Promise<readonly Signature[]> {
  for (const transaction of transactions) await land(node, transaction, lastValidBlockHeight, pace);
  return transactions.map(({ signature }) => signature);
}

async function land(node: NodePort, transaction: SignedTransaction, lastValid: bigint, pace: Pace): Promise<void> {
  const { base64, signature, label } = transaction;
  // The first time the node tries it out and says what is wrong.
  await node.send(base64, { skipPreflight: false }).catch((cause: unknown) => {
    throw failed(label, signature, cause);
  });
  let sentMs = pace.nowMs();
  for (;;) {
    // Asked in this order: what has not landed when the height is past, and was not seen after, never will be.
    const height = await node.blockHeight();
    const [status] = await node.statusesOf([signature]);
    if (status?.isConfirmed === true) {
      if (status.err !== null) throw failed(label, signature, status.err);
      return;
    }
    if (height > lastValid) throw expired(label, signature, lastValid);
    if (pace.nowMs() - sentMs >= pace.resendMs) {
      // A node that is busy now may take it the next time.
      await node.send(base64, { skipPreflight: true }).catch(() => undefined);
      sentMs = pace.nowMs();
    }
    await pace.wait(pace.pollMs);
  }
}
