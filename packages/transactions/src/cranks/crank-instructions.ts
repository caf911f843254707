import {
  encodeInstruction,
  encodeSecp256k1Instruction,
  findOracleStats,
  findQueueRewardVault,
  findSwitchboardState,
  INSTRUCTIONS_SYSVAR,
  SLOT_HASHES_SYSVAR,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  SYSTEM_PROGRAM,
  switchboardSubmitResponses,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@lending/programs';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import type { SignedValues } from './signed-values.ts';

export interface CrankPlan {
  readonly queue: Address;
  /** In the order of the signed values. */
  readonly feeds: readonly Address[];
  readonly signed: SignedValues;
  readonly payer: Address;
}

/**
 * The two instructions of a crank: the check of the signatures, then the submission that reads them. The first names its own place in the
 * transaction, which is 0: whatever else the transaction holds, its compute budget too, comes after it.
 * @see `@switchboard-xyz/on-demand` 3.10.4, `PullFeed.fetchUpdateManyIx`
 */
export async function crankInstructions({ queue, feeds, signed, payer }: CrankPlan): Promise<readonly Instruction[]> {
  const oracles = signed.signatures.map(({ oracle }) => oracle);
  const [[programState], [rewardVault], ...stats] = await Promise.all([
    findSwitchboardState(),
    findQueueRewardVault(queue),
    ...oracles.map((oracle) => findOracleStats(oracle)),
  ]);
  const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE });
  const submission = encodeInstruction(
    switchboardSubmitResponses,
    SWITCHBOARD_ON_DEMAND_PROGRAM,
    {
      queue,
      programState,
      recentSlothashes: SLOT_HASHES_SYSVAR,
      payer,
      systemProgram: SYSTEM_PROGRAM,
      rewardVault,
      tokenProgram: TOKEN_PROGRAM,
      tokenMint: WRAPPED_SOL_MINT,
      ixSysvar: INSTRUCTIONS_SYSVAR,
    },
    { params: { slot: signed.slot, values: signed.values.map(({ value }) => value) } },
    [
      ...feeds.map(writable),
      ...oracles.map((address) => ({ address, role: AccountRole.READONLY })),
      ...stats.map(([address]) => writable(address)),
    ],
  );
  return [encodeSecp256k1Instruction(signed.signatures, signed.message, 0), submission];
}

/** Bytes of a version 0 transaction, and of what a crank adds to it without lookup tables. */
const SIZE = { transaction: 1232, budget: 52, empty: 525, signature: 162, feed: 49 } as const;

/** How many feeds one transaction can crank with so many signatures, its compute budget counted. */
export function feedsPerCrank(signatures: number): number {
  const left = SIZE.transaction - SIZE.budget - SIZE.empty - SIZE.signature * signatures;
  return Math.max(1, Math.floor(left / SIZE.feed));
}
