import type { Signature } from '@solana/kit';
import type { BlockEnginePort } from './block-engine-port.ts';
import type { NodePort } from './node-port.ts';
import { DEFAULT_PACE, type Pace } from './pace.ts';
import { expired, failed, type SendingError } from './sending-error.ts';
import type { SignedTransaction } from './sign-envelope.ts';

/** What a bundle is called in messages. */
const LABEL = 'the bundle';

/**
 * Sends transactions as one bundle: all of them land in one slot in this order, or none does. The bundle is sent again until it landed,
 * since an auction it lost is over.
 * @throws SendingError when the block engine refuses it, when a transaction of it failed on the chain, or when it has not landed by
 *   `lastValidBlockHeight`: then nothing of it has.
 */
export async function sendBundle(
  { node, engine }: { readonly node: NodePort; readonly engine: BlockEnginePort },
  transactions: readonly SignedTransaction[],
  lastValidBlockHeight: bigint,
  pace: Pace = DEFAULT_PACE,
): Promise<readonly Signature[]> {
  const texts = transactions.map(({ base64 }) => base64);
  const signatures = transactions.map(({ signature }) => signature);
  const id = await engine.sendBundle(texts).catch((cause: unknown) => {
    throw failed(LABEL, null, cause);
  });
  let sentMs = pace.nowMs();
  let lastStatus = 'Invalid';
  for (;;) {
    const height = await node.blockHeight();
    // The chain decides; the engine only says how its own auction went.
    const statuses = await node.statusesOf(signatures);
    const broken = statuses.findIndex((status) => status !== null && status.err !== null);
    if (broken >= 0) throw failedPart(transactions[broken], statuses[broken]?.err);
    if (statuses.every((status) => status?.isConfirmed === true)) return signatures;
    if (height > lastValidBlockHeight)
      throw expired(`${LABEL} (${id}, last seen as ${lastStatus})`, null, lastValidBlockHeight);
    lastStatus = await engine.inflightStatus(id).catch(() => lastStatus);
    if (lastStatus !== 'Landed' && pace.nowMs() - sentMs >= pace.resendMs) {
      await engine.sendBundle(texts).catch(() => undefined);
      sentMs = pace.nowMs();
    }
    await pace.wait(pace.pollMs);
  }
}

function failedPart(transaction: SignedTransaction | undefined, err: unknown): SendingError {
  return failed(transaction?.label ?? LABEL, transaction?.signature ?? null, err);
}
