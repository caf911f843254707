import { account } from '#layout/account.ts';
import { array, bytes, pubkey, u8, u16, u32, u64, type ValueOf } from '#layout/field-types.ts';

/** The settings of Switchboard On-Demand. Field order and names are the IDL's (0.1.0). */
export const switchboardStateLayout = account('State', {
  bump: u8,
  testOnlyDisableMrEnclaveCheck: u8,
  enableStaking: u8,
  padding1: bytes(5),
  authority: pubkey,
  guardianQueue: pubkey,
  reserved1: bytes(8),
  epochLength: u64,
  reserved2: bytes(136),
  switchMint: pubkey,
  sgxAdvisories: array(u16, 32),
  advisoriesLen: u8,
  padding2: bytes(1),
  flatRewardCutPercentage: u8,
  enableSlashing: u8,
  padding3: bytes(4),
  lutSlot: u64,
  baseReward: u32,
  padding4: bytes(4),
  subsidyAmount: u64,
  _ebuf6: bytes(16),
  _ebuf5: bytes(32),
  _ebuf4: bytes(64),
  _ebuf3: bytes(128),
  _ebuf2: bytes(512),
  costWhitelist: array(pubkey, 32),
});

export type SwitchboardState = ValueOf<typeof switchboardStateLayout>;
