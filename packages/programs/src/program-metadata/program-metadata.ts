import { type Address, address, type ProgramDerivedAddress } from '@solana/kit';
import { findDerivedAddress } from '#derived-address.ts';
import { getAddressBytes } from '#fixed-offset/address-codec.ts';
import { account } from '#layout/account.ts';
import { bytes, pubkey, u8, u32, type ValueOf } from '#layout/field-types.ts';

export const PROGRAM_METADATA_PROGRAM: Address = address('ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S');
/** A seed is as long as this, whatever the name. */
const SEED_BYTES = 16;

/** Where a program's authority publishes its IDL. */
export function findProgramIdl(program: Address): Promise<ProgramDerivedAddress> {
  const seed = new Uint8Array(SEED_BYTES);
  seed.set(new TextEncoder().encode('idl'));
  return findDerivedAddress({ programAddress: PROGRAM_METADATA_PROGRAM, seeds: [getAddressBytes(program), seed] });
}

/** `dataSource`: where the text is. */
export const METADATA_DIRECT = 0;
/** `compression` of the text. */
export const METADATA_COMPRESSION = { none: 0, gzip: 1, zlib: 2 } as const;

/** What stands before the text. @see program-metadata program/src/state/header.rs */
export const programMetadataLayout = account(
  'Metadata',
  {
    program: pubkey,
    authority: pubkey,
    mutable: u8,
    canonical: u8,
    seed: bytes(SEED_BYTES),
    encoding: u8,
    compression: u8,
    format: u8,
    dataSource: u8,
    dataLength: u32,
    _padding: bytes(5),
  },
  Uint8Array.of(2),
);

export type ProgramMetadata = ValueOf<typeof programMetadataLayout>;
