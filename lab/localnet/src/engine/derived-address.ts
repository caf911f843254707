import { createHash } from 'node:crypto';
import { getAddressBytes, readAddress } from '@lending/programs';
import { type Address, isOffCurveAddress } from '@solana/kit';
import { InstructionError } from './instruction-error.ts';

const MAX_SEEDS = 16;
const MAX_SEED_BYTES = 32;
const PDA_MARKER = new TextEncoder().encode('ProgramDerivedAddress');

/** Finding a bump costs a point decompression per try, and the same accounts are derived again and again. */
const MAX_CACHED = 5_000;
const found = new Map<string, DerivedAddress>();
const created = new Map<string, Address>();

export interface DerivedAddress {
  readonly address: Address;
  readonly bump: number;
}

/**
 * The program's address for these seeds, bump included. Synchronous, unlike kit's, because programs are.
 * @throws InstructionError `MaxSeedLengthExceeded` or `InvalidSeeds` when it lies on the curve.
 */
export function createProgramAddress(seeds: readonly Uint8Array[], programId: Address): Address {
  const key = keyOf(seeds, programId);
  const cached = created.get(key);
  if (cached !== undefined) return cached;
  assertSeedLengths(seeds);
  const address = hashSeeds(seeds, programId);
  if (!isOffCurveAddress(address)) throw new InstructionError('InvalidSeeds');
  if (created.size >= MAX_CACHED) created.clear();
  created.set(key, address);
  return address;
}

/** What a program pays for every bump it tries. @see agave `create_program_address_units` */
const UNITS_PER_TRY = 1_500n;

/** Compute units that finding a bump costs a program: one wallet's accounts cost more than another's. */
export function unitsToFind(bump: number): bigint {
  return UNITS_PER_TRY * BigInt(256 - bump);
}

/** The first address off the curve, counting the bump down from 255. */
export function findProgramAddress(seeds: readonly Uint8Array[], programId: Address): DerivedAddress {
  const key = keyOf(seeds, programId);
  const cached = found.get(key);
  if (cached !== undefined) return cached;
  assertSeedLengths([...seeds, Uint8Array.of(0)]);
  for (let bump = 255; bump >= 0; bump--) {
    const address = hashSeeds([...seeds, Uint8Array.of(bump)], programId);
    if (!isOffCurveAddress(address)) continue;
    if (found.size >= MAX_CACHED) found.clear();
    found.set(key, { address, bump });
    return { address, bump };
  }
  throw new InstructionError('InvalidSeeds');
}

function keyOf(seeds: readonly Uint8Array[], programId: Address): string {
  return `${programId}:${seeds.map((seed) => Buffer.from(seed).toString('hex')).join(':')}`;
}

function assertSeedLengths(seeds: readonly Uint8Array[]): void {
  if (seeds.length > MAX_SEEDS || seeds.some((seed) => seed.length > MAX_SEED_BYTES)) {
    throw new InstructionError('MaxSeedLengthExceeded');
  }
}

function hashSeeds(seeds: readonly Uint8Array[], programId: Address): Address {
  return readAddress(sha256([...seeds, getAddressBytes(programId), PDA_MARKER]));
}

function sha256(parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
