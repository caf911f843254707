import { CLOCK_SYSVAR, RENT_SYSVAR, SLOT_HASHES_SYSVAR } from '@lending/programs';
import { type Address, address } from '@solana/kit';

export const NATIVE_LOADER: Address = address('NativeLoader1111111111111111111111111111111');
/** They own programs that cannot be changed; the code is the account's data. */
export const IMMUTABLE_LOADERS: readonly Address[] = [
  address('BPFLoader1111111111111111111111111111111111'),
  address('BPFLoader2111111111111111111111111111111111'),
];
/** Owns programs whose code stands in an account of its own. */
export const UPGRADEABLE_LOADER: Address = address('BPFLoaderUpgradeab1e11111111111111111111111');

/** What programs may ask of the chain itself, but for the instructions, which the runtime makes up for each transaction. */
export const SYSVARS: readonly Address[] = [
  CLOCK_SYSVAR,
  RENT_SYSVAR,
  address('SysvarEpochSchedu1e111111111111111111111111'),
  SLOT_HASHES_SYSVAR,
  address('SysvarLastRestartS1ot1111111111111111111111'),
];
