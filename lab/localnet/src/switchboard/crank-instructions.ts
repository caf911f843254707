import {
  encodeInstruction,
  encodeSecp256k1Instruction,
  INSTRUCTIONS_SYSVAR,
  SLOT_HASHES_SYSVAR,
  SWITCHBOARD_MAINNET_QUEUE,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  SYSTEM_PROGRAM,
  switchboardSubmitResponses,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@lending/programs';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { DEMO_FEEDS, type DemoFeedName } from '#market/feeds.ts';
import { SWITCHBOARD_REWARD_VAULT, SWITCHBOARD_STATE } from '#market/switchboard-accounts.ts';
import type { SignedPrices } from './sign-prices.ts';

/** The two instructions that bring signed prices onto the chain; they must stand first in their transaction. */
export function crankInstructions(
  names: readonly DemoFeedName[],
  signed: SignedPrices,
  payer: Address,
): readonly Instruction[] {
  const { slot, values, message, signatures } = signed;
  const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE });
  return [
    encodeSecp256k1Instruction(
      signatures.map(({ oracle, ...signature }) => ({ ...signature, ethAddress: oracle.ethAddress })),
      message,
      0,
    ),
    encodeInstruction(
      switchboardSubmitResponses,
      SWITCHBOARD_ON_DEMAND_PROGRAM,
      {
        queue: SWITCHBOARD_MAINNET_QUEUE,
        programState: SWITCHBOARD_STATE.address,
        recentSlothashes: SLOT_HASHES_SYSVAR,
        payer,
        systemProgram: SYSTEM_PROGRAM,
        rewardVault: SWITCHBOARD_REWARD_VAULT,
        tokenProgram: TOKEN_PROGRAM,
        tokenMint: WRAPPED_SOL_MINT,
        ixSysvar: INSTRUCTIONS_SYSVAR,
      },
      { params: { slot, values: [...values] } },
      [
        ...names.map((name) => writable(DEMO_FEEDS[name].account)),
        ...signatures.map(({ oracle }) => ({ address: oracle.address, role: AccountRole.READONLY })),
        ...signatures.map(({ oracle }) => writable(oracle.stats.address)),
      ],
    ),
  ];
}
