import { i128, u64, vec } from '#layout/field-types.ts';
import { instruction } from '#layout/instruction.ts';
import { struct } from '#layout/struct.ts';

/**
 * Writes values that oracles signed over one slot's hash into pull feeds. Their signatures stand in a secp256k1 instruction of the same
 * transaction, which the program reads. Anyone may send it.
 * After the named accounts: the feeds (writable) in the order of `values`, the oracles in the order of their signatures, and the
 * oracles' stats (writable).
 */
export const switchboardSubmitResponses = instruction(
  'pull_feed_submit_response_consensus',
  `
    queue, programState, recentSlothashes, payer ws, systemProgram, rewardVault w, tokenProgram, tokenMint,
    ixSysvar
  `,
  { params: struct({ slot: u64, values: vec(i128) }) },
);
