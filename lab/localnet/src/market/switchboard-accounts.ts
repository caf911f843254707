import {
  ASSOCIATED_TOKEN_PROGRAM,
  getAddressBytes,
  oracleStatsLayout,
  SWITCHBOARD_MAINNET_QUEUE,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  SWITCHBOARD_VERIFIED,
  switchboardOracleLayout,
  switchboardQueueLayout,
  switchboardStateLayout,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { findProgramAddress } from '#engine/derived-address.ts';
import type { AccountState } from '#engine/engine.ts';
import { DEMO_ORACLES, type DemoOracle } from '#switchboard/demo-oracles.ts';
import { madeOf } from './account-state.ts';
import { tokenAccount } from './token-accounts.ts';
import { DEMO_TOKENS } from './tokens.ts';

type Placed = readonly (readonly [Address, AccountState])[];

const DAY_SECONDS = 86_400n;
/** The enclaves of demo oracles are good for ever, as far as a demo goes. */
const VALID_DAYS = 36_500n;

/** Where the program keeps its settings, and that address's bump. */
export const SWITCHBOARD_STATE = findProgramAddress([new TextEncoder().encode('STATE')], SWITCHBOARD_ON_DEMAND_PROGRAM);
/** The queue's account of wrapped SOL. */
export const SWITCHBOARD_REWARD_VAULT = findProgramAddress(
  [SWITCHBOARD_MAINNET_QUEUE, TOKEN_PROGRAM, WRAPPED_SOL_MINT].map(getAddressBytes),
  ASSOCIATED_TOKEN_PROGRAM,
).address;

/** Mainnet's queue with the demo market's own oracles, and what a submission needs beside them. It asks no reward. */
export function switchboardAccounts(unixTimestamp: bigint): Placed {
  return [
    [SWITCHBOARD_MAINNET_QUEUE, queueOf(unixTimestamp)],
    [SWITCHBOARD_STATE.address, settings()],
    [SWITCHBOARD_REWARD_VAULT, tokenAccount(DEMO_TOKENS.SOL, SWITCHBOARD_MAINNET_QUEUE, 0n)],
    ...DEMO_ORACLES.flatMap(
      (oracle): Placed => [
        [oracle.address, oracleOf(oracle, unixTimestamp)],
        [oracle.stats.address, statsOf(oracle)],
      ],
    ),
  ];
}

function queueOf(unixTimestamp: bigint): AccountState {
  const keys = DEMO_ORACLES.map(({ address }) => address);
  return madeOf(SWITCHBOARD_ON_DEMAND_PROGRAM, switchboardQueueLayout, (zero) => ({
    ...zero,
    oracleKeys: [...keys, ...zero.oracleKeys.slice(keys.length)],
    maxQuoteVerificationAge: VALID_DAYS * DAY_SECONDS,
    lastHeartbeat: unixTimestamp,
    nodeTimeout: 300n,
    allowAuthorityOverrideAfter: 3_600n,
    oracleKeysLen: keys.length,
    requireAuthorityHeartbeatPermission: 1,
    requireAuthorityVerifyPermission: 1,
    mint: WRAPPED_SOL_MINT,
  }));
}

function oracleOf({ address, ethAddress }: DemoOracle, unixTimestamp: bigint): AccountState {
  return madeOf(SWITCHBOARD_ON_DEMAND_PROGRAM, switchboardOracleLayout, (zero) => ({
    ...zero,
    enclave: {
      ...zero.enclave,
      enclaveSigner: address,
      verificationStatus: SWITCHBOARD_VERIFIED,
      verificationTimestamp: unixTimestamp,
      validUntil: unixTimestamp + VALID_DAYS * DAY_SECONDS,
      ethSigner: ethAddress,
    },
    authority: address,
    queue: SWITCHBOARD_MAINNET_QUEUE,
    createdAt: unixTimestamp,
    lastHeartbeat: unixTimestamp,
    permissions: 1n,
    isOnQueue: 1,
  }));
}

function statsOf({ address, stats }: DemoOracle): AccountState {
  return madeOf(SWITCHBOARD_ON_DEMAND_PROGRAM, oracleStatsLayout, (zero) => ({
    ...zero,
    owner: address,
    oracle: address,
    bump: stats.bump,
  }));
}

function settings(): AccountState {
  return madeOf(SWITCHBOARD_ON_DEMAND_PROGRAM, switchboardStateLayout, (zero) => ({
    ...zero,
    bump: SWITCHBOARD_STATE.bump,
    switchMint: WRAPPED_SOL_MINT,
  }));
}
