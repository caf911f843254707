import { account } from '#layout/account.ts';
import { bytes, i80f48, pubkey, u8, u16, u64, type ValueOf } from '#layout/field-types.ts';

/**
 * What a group's staked banks are set up with. Field order and names are the IDL's (0.1.8), with `flags`, which 0.1.9 put into its
 * padding: the bits of `Bank.flags` that are copied to those banks.
 */
export const stakedSettingsLayout = account('StakedSettings', {
  key: pubkey,
  marginfiGroup: pubkey,
  oracle: pubkey,
  assetWeightInit: i80f48,
  assetWeightMaint: i80f48,
  depositLimit: u64,
  totalAssetValueInitLimit: u64,
  oracleMaxAge: u16,
  riskTier: u8,
  _pad0: bytes(5),
  flags: u64,
  _reserved1: bytes(32),
  _reserved2: bytes(64),
});

export type StakedSettings = ValueOf<typeof stakedSettingsLayout>;
