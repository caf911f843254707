import { createMessage, type Message, type MessageSource } from '@lending/events';
import type { Slot } from '@solana/kit';

/** Of the whole chain there is one story: it has one key. */
const KEY = 'chain';
/** What one message holds. */
const MAX_SLOTS = 2_000;

interface Moment {
  readonly slot: Slot;
  readonly unixTimestamp: bigint;
}

/** The messages of how far the indexer has come, and of slots that became final: one at least. */
export function toSlotsFinalized(
  tip: Moment,
  { root, slots }: { readonly root: Slot; readonly slots: readonly Slot[] },
  source: MessageSource,
): readonly Message<'slot.finalized.v1'>[] {
  const parts = slots.length === 0 ? [[]] : chunk(slots);
  return parts.map((part) =>
    createMessage({
      topic: 'slot.finalized.v1',
      key: KEY,
      ...tip,
      source,
      ...(part[0] !== undefined && { part: `${part[0]}` }),
      payload: { root: root.toString(), slots: part.map(String) },
    }),
  );
}

/** The messages of slots that the chain went on without; none for no slots. */
export function toForksDropped(
  tip: Moment,
  slots: readonly Slot[],
  source: MessageSource,
): readonly Message<'fork.dropped.v1'>[] {
  return chunk(slots).map((part) =>
    createMessage({
      topic: 'fork.dropped.v1',
      key: KEY,
      ...tip,
      source,
      part: `${part[0]}`,
      payload: { slots: part.map(String) },
    }),
  );
}

function chunk(slots: readonly Slot[]): Slot[][] {
  const parts: Slot[][] = [];
  for (let at = 0; at < slots.length; at += MAX_SLOTS) parts.push(slots.slice(at, at + MAX_SLOTS));
  return parts;
}
