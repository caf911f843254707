import type { GetBlocksApi, Rpc, Slot } from '@solana/kit';
import type { ReadOptions } from './chain-options.ts';
import { toSendOptions } from './read-config.ts';

/**
 * Which slots of a range have a finalized block.
 *
 * A node leaves slots out of its list for three reasons, and does not say which: no finalized block will ever be there (skipped, or dropped
 * with its fork), the node has thrown the slot's block away, or its root has not come that far. Only inside `known` the first one is
 * the reason: slots there that are not in `slots` are dropped for good. Outside, nothing is known, and nothing may be concluded.
 */
export interface RootedSlots {
  /** Both inclusive; a part of what was asked for, and its lower end is missing rather than its upper one when both cannot be had. */
  readonly known: { readonly fromSlot: Slot; readonly toSlot: Slot } | null;
  /** Ascending, all inside `known`. */
  readonly slots: readonly Slot[];
}

/** A node takes up to 500,000. */
const MAX_RANGE = 400_000n;
/** How far below a range a block is looked for that proves the node to have everything above it; the second is asked after the first. */
const ANCHOR_REACHES = [32n, 8_192n] as const;

/** Lists the finalized blocks of slots `fromSlot` to `toSlot`, both inclusive. Long ranges take several calls. */
export async function fetchRootedSlots(
  { rpc }: { readonly rpc: Rpc<GetBlocksApi> },
  fromSlot: Slot,
  toSlot: Slot,
  options: Pick<ReadOptions, 'signal'> = {},
): Promise<RootedSlots> {
  const slots: Slot[] = [];
  let knownFrom: Slot | undefined;
  for (let next = fromSlot; next <= toSlot; ) {
    const end = next + MAX_RANGE < toSlot ? next + MAX_RANGE : toSlot;
    const part = await fetchPart(rpc, next, end, options);
    const last = part.slots.at(-1);
    if (last === undefined) break;
    // A node that threw away meanwhile what the part before rested on leaves a hole: only what is above it is known as one range.
    if (knownFrom === undefined || part.knownFrom > next) {
      slots.length = 0;
      knownFrom = part.knownFrom;
    }
    for (const slot of part.slots) slots.push(slot);
    if (end === toSlot) break;
    next = last + 1n;
  }
  const last = slots.at(-1);
  if (knownFrom === undefined || last === undefined) return { known: null, slots: [] };
  return { known: { fromSlot: knownFrom, toSlot: last }, slots };
}

interface Part {
  readonly knownFrom: Slot;
  readonly slots: readonly Slot[];
}

/**
 * One answer is of one node, which has thrown away a beginning and not come to know an end: between two blocks that it lists it knows
 * everything. So the range is asked for with some slots below it, and a block there proves that it is known from its first slot on.
 */
async function fetchPart(
  rpc: Rpc<GetBlocksApi>,
  fromSlot: Slot,
  toSlot: Slot,
  options: Pick<ReadOptions, 'signal'>,
): Promise<Part> {
  let part: Part = { knownFrom: fromSlot, slots: [] };
  for (const reach of ANCHOR_REACHES) {
    const start = fromSlot > reach ? fromSlot - reach : 0n;
    const listed = await rpc.getBlocks(start, toSlot, { commitment: 'finalized' }).send(toSendOptions(options));
    const blocks = listed.map((slot) => BigInt(slot));
    const slots = blocks.filter((slot) => slot >= fromSlot);
    const [lowest] = blocks;
    const isAnchored = lowest !== undefined && lowest <= fromSlot;
    part = { knownFrom: isAnchored ? fromSlot : (slots[0] ?? fromSlot), slots };
    if (isAnchored || start === 0n) break;
  }
  return part;
}
