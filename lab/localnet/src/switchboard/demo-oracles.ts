import { createHash } from 'node:crypto';
import { getAddressBytes, readAddress, SWITCHBOARD_ON_DEMAND_PROGRAM } from '@lending/programs';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Address } from '@solana/kit';
import { findProgramAddress } from '#engine/derived-address.ts';
import { ethAddressOf } from '#programs/secp256k1-program.ts';

/** One of the demo queue's oracles. */
export interface DemoOracle {
  readonly address: Address;
  readonly stats: { readonly address: Address; readonly bump: number };
  readonly ethAddress: Uint8Array;
  /** Signs the Keccak-256 of a message. */
  sign(message: Uint8Array): { readonly signature: Uint8Array; readonly recoveryId: number };
}

const STATS_SEED = new TextEncoder().encode('OracleStats');
const COUNT = 5;

/** The oracles of the demo market. Their keys are hashes of their names: everybody can compute them, and they sign for this chain alone. */
export const DEMO_ORACLES: readonly DemoOracle[] = Array.from({ length: COUNT }, (_, index) => createOracle(index + 1));

function createOracle(number: number): DemoOracle {
  const address = readAddress(hashOf(`lending demo oracle ${number}`));
  const secretKey = hashOf(`lending demo oracle ${number}: key`);
  return {
    address,
    stats: findProgramAddress([STATS_SEED, getAddressBytes(address)], SWITCHBOARD_ON_DEMAND_PROGRAM),
    ethAddress: ethAddressOf(secp256k1.getPublicKey(secretKey, false)),
    sign: (message) => {
      const bytes = secp256k1.sign(keccak_256(message), secretKey, { prehash: false, format: 'recovered' });
      return { signature: bytes.slice(1), recoveryId: bytes[0] ?? 0 };
    },
  };
}

function hashOf(text: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(text).digest());
}
