import { SYSVAR_PROGRAM } from '@lending/programs';
import { type Address, getBase58Encoder, type ReadonlyUint8Array, type Slot } from '@solana/kit';
import {
  getSysvarClockEncoder,
  getSysvarEpochScheduleEncoder,
  getSysvarLastRestartSlotEncoder,
  getSysvarRentEncoder,
  SYSVAR_CLOCK_ADDRESS,
  SYSVAR_EPOCH_SCHEDULE_ADDRESS,
  SYSVAR_LAST_RESTART_SLOT_ADDRESS,
  SYSVAR_RENT_ADDRESS,
  SYSVAR_SLOT_HASHES_ADDRESS,
} from '@solana/sysvars';
import { writeU64 } from '#engine/bytes.ts';
import type { AccountState } from '#engine/engine.ts';
import type { Block } from './block.ts';
import { computeEpoch, computeMinimumBalance, type RentPrice, SLOTS_PER_EPOCH } from './chain-parameters.ts';

/** Entries kept in the list of hashes, and the fixed size of its account. @see agave sdk sysvar */
const SLOT_HASHES = { entries: 512, bytes: 20_488 };

export interface SlotFacts {
  readonly slot: bigint;
  readonly unixTimestamp: bigint;
  readonly epochStartTimestamp: bigint;
}

type Writes = readonly (readonly [Address, AccountState])[];

/** Sysvar accounts as they stand when a slot opens on top of `blocks` (oldest first). */
export function writeSysvars(facts: SlotFacts, blocks: readonly Block[], rent: RentPrice): Writes {
  const { slot, unixTimestamp, epochStartTimestamp } = facts;
  const epoch = computeEpoch(slot);
  const clock = getSysvarClockEncoder().encode({
    slot: slot as Slot,
    epochStartTimestamp: epochStartTimestamp as never,
    epoch: epoch as never,
    leaderScheduleEpoch: (epoch + 1n) as never,
    unixTimestamp: unixTimestamp as never,
  });
  return [
    [SYSVAR_CLOCK_ADDRESS, sysvar(clock, rent)],
    [SYSVAR_SLOT_HASHES_ADDRESS, slotHashes(blocks, rent)],
  ];
}

/** Sysvar accounts that never change after genesis. */
export function constantSysvars(rent: RentPrice): Writes {
  const rentBytes = getSysvarRentEncoder().encode({
    lamportsPerByteYear: rent.lamportsPerByteYear as never,
    exemptionThreshold: Number(rent.exemptionThreshold) as never,
    burnPercent: 50,
  });
  const schedule = getSysvarEpochScheduleEncoder().encode({
    slotsPerEpoch: SLOTS_PER_EPOCH,
    leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
    warmup: false,
    firstNormalEpoch: 0n,
    firstNormalSlot: 0n as Slot,
  });
  const lastRestart = getSysvarLastRestartSlotEncoder().encode({ lastRestartSlot: 0n as Slot });
  return [
    [SYSVAR_RENT_ADDRESS, sysvar(rentBytes, rent)],
    [SYSVAR_EPOCH_SCHEDULE_ADDRESS, sysvar(schedule, rent)],
    [SYSVAR_LAST_RESTART_SLOT_ADDRESS, sysvar(lastRestart, rent)],
  ];
}

/** Accounts that every slot rewrites, so a journal need not. */
export const SLOT_SYSVARS: ReadonlySet<Address> = new Set([SYSVAR_CLOCK_ADDRESS, SYSVAR_SLOT_HASHES_ADDRESS]);

function sysvar(data: ReadonlyUint8Array, rent: RentPrice): AccountState {
  const lamports = computeMinimumBalance(rent, data.length);
  return { lamports, owner: SYSVAR_PROGRAM, data: new Uint8Array(data), executable: false };
}

const ENTRY_BYTES = 40;
const hashBytes = new WeakMap<Block, ReadonlyUint8Array>();

/**
 * A 64-bit length and 40-byte entries, newest first, each a slot and its hash; written when they are read, which in most slots does not
 * happen. Not with kit 8.4's codecs: they write 32-bit lengths, which no node does, and decode 512 base58 hashes per slot, which took
 * 8 ms; here each block's hash is decoded once.
 */
function slotHashes(blocks: readonly Block[], rent: RentPrice): AccountState {
  const listed = blocks.slice(-SLOT_HASHES.entries);
  let written: Uint8Array | undefined;
  function write(): Uint8Array {
    const bytes = new Uint8Array(SLOT_HASHES.bytes);
    writeU64(bytes, 0, BigInt(listed.length));
    for (const [index, block] of listed.toReversed().entries()) {
      const offset = 8 + index * ENTRY_BYTES;
      writeU64(bytes, offset, block.slot);
      const hash = hashBytes.get(block) ?? getBase58Encoder().encode(block.blockhash);
      hashBytes.set(block, hash);
      bytes.set(hash, offset + 8);
    }
    return bytes;
  }
  return {
    lamports: computeMinimumBalance(rent, SLOT_HASHES.bytes),
    owner: SYSVAR_PROGRAM,
    executable: false,
    get data() {
      written ??= write();
      return written;
    },
  };
}
