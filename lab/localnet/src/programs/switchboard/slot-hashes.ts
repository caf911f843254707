import { readU64 } from '#engine/bytes.ts';

/** A finished slot and its block's hash. */
export interface SlotHash {
  readonly slot: bigint;
  readonly hash: Uint8Array;
}

const HEADER_BYTES = 8;
const ENTRY_BYTES = 40;

/** The newest slots of the sysvar's account, newest first. */
export function* readSlotHashes(data: Uint8Array): Generator<SlotHash> {
  const count = Number(readU64(data, 0));
  for (let index = 0; index < count; index += 1) {
    const start = HEADER_BYTES + index * ENTRY_BYTES;
    yield { slot: readU64(data, start), hash: data.slice(start + 8, start + ENTRY_BYTES) };
  }
}
