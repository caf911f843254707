import type { Block } from './block.ts';
import { BLOCKHASH_VALID_BLOCKS } from './chain-parameters.ts';

/**
 * Which blockhashes a transaction may still name, and which messages already used theirs.
 * Durable nonces are not modelled: a transaction that carries one is refused as `BlockhashNotFound`.
 */
export class RecentBlockhashes {
  readonly #heightOf = new Map<string, bigint>();
  readonly #seen = new Map<string, bigint>();

  add(block: Block): void {
    this.#heightOf.set(block.blockhash, block.height);
    prune(this.#heightOf, block.height - BLOCKHASH_VALID_BLOCKS);
    prune(this.#seen, block.height - BLOCKHASH_VALID_BLOCKS - 1n);
  }

  /** Last block height at which a transaction with this blockhash lands; undefined when it is unknown or too old. */
  lastValidHeight(blockhash: string): bigint | undefined {
    const height = this.#heightOf.get(blockhash);
    return height === undefined ? undefined : height + BLOCKHASH_VALID_BLOCKS;
  }

  /** Whether a bank whose newest registered block has `newestHeight` takes this blockhash. */
  isValid(blockhash: string, newestHeight: bigint): boolean {
    const height = this.#heightOf.get(blockhash);
    return height !== undefined && height <= newestHeight && newestHeight - height <= BLOCKHASH_VALID_BLOCKS;
  }

  isProcessed(messageHash: string): boolean {
    return this.#seen.has(messageHash);
  }

  /** Forgets the blocks above `height`, and that these messages used their blockhashes. */
  dropAfter(height: bigint, messageHashes: Iterable<string>): void {
    for (const [blockhash, itsHeight] of this.#heightOf) if (itsHeight > height) this.#heightOf.delete(blockhash);
    for (const messageHash of messageHashes) this.#seen.delete(messageHash);
  }

  markProcessed(messageHash: string, height: bigint): void {
    this.#seen.set(messageHash, height);
  }
}

/** Insertion order is height order, so the old ones stand in front. */
function prune(heights: Map<string, bigint>, oldest: bigint): void {
  for (const [key, height] of heights) {
    if (height >= oldest) return;
    heights.delete(key);
  }
}
