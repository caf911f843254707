import { SECP256K1_PROGRAM } from '@lending/programs';
import type { Instruction } from '@solana/kit';

/** @see agave fee-structure `lamports_per_signature` */
const SIGNATURE_LAMPORTS = 5_000n;

/**
 * What the chain asks for a transaction's signatures: its signers', and each that it has the chain check for a program, whose number is
 * the first byte of such a check.
 */
export function signatureFeeOf(signers: number, instructions: readonly Instruction[]): bigint {
  const checked = instructions
    .filter(({ programAddress }) => programAddress === SECP256K1_PROGRAM)
    .reduce((sum, { data }) => sum + (data?.[0] ?? 0), 0);
  return SIGNATURE_LAMPORTS * BigInt(signers + checked);
}
