import {
  ASSOCIATED_TOKEN_PROGRAM,
  getAddressBytes,
  NO_KEY,
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
import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { findProgramAddress } from '#engine/derived-address.ts';
import type { AccountState } from '#engine/engine.ts';
import { DEMO_ORACLES, type DemoOracle } from '#switchboard/demo-oracles.ts';
import { rentExempt } from './rent.ts';
import { tokenAccount } from './token-accounts.ts';
import { DEMO_TOKENS } from './tokens.ts';

type Placed = readonly (readonly [Address, AccountState])[];

const MAX_ORACLES = 128;
const DAY_SECONDS = 86_400n;
/** The enclaves of demo oracles are good for ever, as far as a demo goes. */
const VALID_DAYS = 36_500n;
const noBytes = (size: number) => new Uint8Array(size);

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
    [SWITCHBOARD_MAINNET_QUEUE, programAccount(queueBytes(unixTimestamp))],
    [SWITCHBOARD_STATE.address, programAccount(stateBytes())],
    [SWITCHBOARD_REWARD_VAULT, tokenAccount(DEMO_TOKENS.SOL, SWITCHBOARD_MAINNET_QUEUE, 0n)],
    ...DEMO_ORACLES.flatMap(
      (oracle): Placed => [
        [oracle.address, programAccount(oracleBytes(oracle, unixTimestamp))],
        [oracle.stats.address, programAccount(statsBytes(oracle))],
      ],
    ),
  ];
}

function programAccount(bytes: ReadonlyUint8Array): AccountState {
  const data = new Uint8Array(bytes);
  return { lamports: rentExempt(data.length), owner: SWITCHBOARD_ON_DEMAND_PROGRAM, data, executable: false };
}

function queueBytes(unixTimestamp: bigint): ReadonlyUint8Array {
  const keys = DEMO_ORACLES.map(({ address }) => address);
  return switchboardQueueLayout.encode({
    authority: NO_KEY,
    mrEnclaves: Array.from({ length: 32 }, () => noBytes(32)),
    oracleKeys: [...keys, ...Array.from({ length: MAX_ORACLES - keys.length }, () => NO_KEY)],
    maxQuoteVerificationAge: VALID_DAYS * DAY_SECONDS,
    lastHeartbeat: unixTimestamp,
    nodeTimeout: 300n,
    oracleMinStake: 0n,
    allowAuthorityOverrideAfter: 3_600n,
    mrEnclavesLen: 0,
    oracleKeysLen: keys.length,
    reward: 0,
    currIdx: 0,
    gcIdx: 0,
    requireAuthorityHeartbeatPermission: 1,
    requireAuthorityVerifyPermission: 1,
    requireUsagePermissions: 0,
    signerBump: 0,
    mint: WRAPPED_SOL_MINT,
    lutSlot: 0n,
    allowSubsidies: 0,
    _ebuf6: noBytes(15),
    ncn: NO_KEY,
    _resrved: noBytes(8),
    vaults: Array.from({ length: 4 }, () => ({ vaultKey: NO_KEY, lastRewardEpoch: 0n })),
    _ebuf4: noBytes(32),
    _ebuf2: noBytes(256),
    _ebuf1: noBytes(512),
  });
}

function oracleBytes({ address, ethAddress }: DemoOracle, unixTimestamp: bigint): ReadonlyUint8Array {
  return switchboardOracleLayout.encode({
    enclave: {
      enclaveSigner: address,
      mrEnclave: noBytes(32),
      verificationStatus: SWITCHBOARD_VERIFIED,
      padding1: noBytes(7),
      verificationTimestamp: unixTimestamp,
      validUntil: unixTimestamp + VALID_DAYS * DAY_SECONDS,
      quoteRegistry: noBytes(32),
      registryKey: noBytes(64),
      secp256k1Signer: noBytes(64),
      lastEd25519Signer: NO_KEY,
      lastSecp256k1Signer: noBytes(64),
      lastRotateSlot: 0n,
      guardianApprovers: Array.from({ length: 64 }, () => NO_KEY),
      guardianApproversLen: 0,
      padding2: noBytes(7),
      stagingEd25519Signer: NO_KEY,
      stagingSecp256k1Signer: noBytes(64),
      ethSigner: ethAddress,
      _ebuf4: noBytes(12),
      _ebuf3: noBytes(128),
      _ebuf2: noBytes(256),
      _ebuf1: noBytes(512),
    },
    authority: address,
    queue: SWITCHBOARD_MAINNET_QUEUE,
    createdAt: unixTimestamp,
    lastHeartbeat: unixTimestamp,
    secpAuthority: noBytes(64),
    gatewayUri: noBytes(64),
    permissions: 1n,
    isOnQueue: 1,
    _padding1: noBytes(7),
    lutSlot: 0n,
    lastRewardEpoch: 0n,
    operator: NO_KEY,
    _ebuf3: noBytes(16),
    _ebuf2: noBytes(64),
    _ebuf1: noBytes(1024),
  });
}

function statsBytes({ address, stats }: DemoOracle): ReadonlyUint8Array {
  const noEpoch = {
    id: 0n,
    reserved1: noBytes(8),
    _reserved: noBytes(8),
    slashScore: 0n,
    rewardScore: 0n,
    stakeScore: 0n,
  };
  return oracleStatsLayout.encode({
    owner: address,
    oracle: address,
    finalizedEpoch: noEpoch,
    currentEpoch: noEpoch,
    megaSlotInfo: { reserved1: noBytes(8), slotEnd: 0n, perfGoal: 0n, currentSignatureCount: 0n },
    lastTransferSlot: 0n,
    bump: stats.bump,
    padding1: noBytes(7),
    _ebuf: noBytes(1024),
  });
}

function stateBytes(): ReadonlyUint8Array {
  return switchboardStateLayout.encode({
    bump: SWITCHBOARD_STATE.bump,
    testOnlyDisableMrEnclaveCheck: 0,
    enableStaking: 0,
    padding1: noBytes(5),
    authority: NO_KEY,
    guardianQueue: NO_KEY,
    reserved1: noBytes(8),
    epochLength: 0n,
    reserved2: noBytes(136),
    switchMint: WRAPPED_SOL_MINT,
    sgxAdvisories: Array.from({ length: 32 }, () => 0),
    advisoriesLen: 0,
    padding2: noBytes(1),
    flatRewardCutPercentage: 0,
    enableSlashing: 0,
    padding3: noBytes(4),
    lutSlot: 0n,
    baseReward: 0,
    padding4: noBytes(4),
    subsidyAmount: 0n,
    _ebuf6: noBytes(16),
    _ebuf5: noBytes(32),
    _ebuf4: noBytes(64),
    _ebuf3: noBytes(128),
    _ebuf2: noBytes(512),
    costWhitelist: Array.from({ length: 32 }, () => NO_KEY),
  });
}
