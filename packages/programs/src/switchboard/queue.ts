import { account } from '#layout/account.ts';
import { array, bytes, i64, pubkey, u8, u32, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

/** A Switchboard On-Demand queue: the oracles that may sign for its feeds. Field order and names are the IDL's (0.1.0). */
export const switchboardQueueLayout = account('QueueAccountData', {
  authority: pubkey,
  mrEnclaves: array(bytes(32), 32),
  oracleKeys: array(pubkey, 128),
  maxQuoteVerificationAge: i64,
  lastHeartbeat: i64,
  nodeTimeout: i64,
  oracleMinStake: u64,
  allowAuthorityOverrideAfter: i64,
  mrEnclavesLen: u32,
  oracleKeysLen: u32,
  reward: u32,
  currIdx: u32,
  gcIdx: u32,
  requireAuthorityHeartbeatPermission: u8,
  requireAuthorityVerifyPermission: u8,
  requireUsagePermissions: u8,
  signerBump: u8,
  mint: pubkey,
  lutSlot: u64,
  allowSubsidies: u8,
  _ebuf6: bytes(15),
  ncn: pubkey,
  _resrved: bytes(8),
  vaults: array(struct({ vaultKey: pubkey, lastRewardEpoch: u64 }), 4),
  _ebuf4: bytes(32),
  _ebuf2: bytes(256),
  _ebuf1: bytes(512),
});

export type SwitchboardQueue = ValueOf<typeof switchboardQueueLayout>;
