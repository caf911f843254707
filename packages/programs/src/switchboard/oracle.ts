import { account } from '#layout/account.ts';
import { array, bytes, i64, pubkey, u8, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

/** `verificationStatus` of an enclave whose measurement was checked. */
export const SWITCHBOARD_VERIFIED = 4;

/** The enclave an oracle runs in. `ethSigner` is what its secp256k1 signatures recover to. */
const quote = struct({
  enclaveSigner: pubkey,
  mrEnclave: bytes(32),
  verificationStatus: u8,
  padding1: bytes(7),
  verificationTimestamp: i64,
  validUntil: i64,
  quoteRegistry: bytes(32),
  registryKey: bytes(64),
  secp256k1Signer: bytes(64),
  lastEd25519Signer: pubkey,
  lastSecp256k1Signer: bytes(64),
  lastRotateSlot: u64,
  guardianApprovers: array(pubkey, 64),
  guardianApproversLen: u8,
  padding2: bytes(7),
  stagingEd25519Signer: pubkey,
  stagingSecp256k1Signer: bytes(64),
  ethSigner: bytes(20),
  _ebuf4: bytes(12),
  _ebuf3: bytes(128),
  _ebuf2: bytes(256),
  _ebuf1: bytes(512),
});

/** A Switchboard On-Demand oracle. Field order and names are the IDL's (0.1.0); times in unix seconds. */
export const switchboardOracleLayout = account('OracleAccountData', {
  enclave: quote,
  authority: pubkey,
  queue: pubkey,
  createdAt: i64,
  lastHeartbeat: i64,
  secpAuthority: bytes(64),
  gatewayUri: bytes(64),
  permissions: u64,
  isOnQueue: u8,
  _padding1: bytes(7),
  lutSlot: u64,
  lastRewardEpoch: u64,
  operator: pubkey,
  _ebuf3: bytes(16),
  _ebuf2: bytes(64),
  _ebuf1: bytes(1024),
});

export type SwitchboardOracle = ValueOf<typeof switchboardOracleLayout>;
