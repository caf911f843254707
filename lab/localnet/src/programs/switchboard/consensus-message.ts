import { createHash } from 'node:crypto';
import type { PullFeed } from '@lending/programs';

/** A feed and the value that the oracles agreed on, 18 decimals. */
export interface SignedValue {
  readonly feed: Pick<PullFeed, 'feedHash' | 'maxVariance' | 'minResponses'>;
  readonly value: bigint;
}

/**
 * What the oracles sign: the hash of a slot, and of each feed what it is and what it is worth. The program's own order of these bytes is
 * not published; this one is the model's, and whoever carries a message from a gateway to the chain does not look into it.
 */
export function consensusMessage(slotHash: Uint8Array, values: readonly SignedValue[]): Uint8Array {
  const hash = createHash('sha256').update(slotHash);
  for (const { feed, value } of values) {
    const numbers = new DataView(new ArrayBuffer(28));
    numbers.setBigUint64(0, BigInt.asUintN(64, value), true);
    numbers.setBigInt64(8, value >> 64n, true);
    numbers.setBigUint64(16, feed.maxVariance, true);
    numbers.setUint32(24, feed.minResponses, true);
    hash.update(Uint8Array.from(feed.feedHash)).update(new Uint8Array(numbers.buffer));
  }
  return new Uint8Array(hash.digest());
}
