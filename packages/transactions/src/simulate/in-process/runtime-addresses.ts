import { type Address, address } from '@solana/kit';

export const NATIVE_LOADER: Address = address('NativeLoader1111111111111111111111111111111');
/** They own programs that cannot be changed; the code is the account's data. */
export const IMMUTABLE_LOADERS: readonly Address[] = [
  address('BPFLoader1111111111111111111111111111111111'),
  address('BPFLoader2111111111111111111111111111111111'),
];
/** Owns programs whose code stands in an account of its own. */
export const UPGRADEABLE_LOADER: Address = address('BPFLoaderUpgradeab1e11111111111111111111111');

export const CLOCK: Address = address('SysvarC1ock11111111111111111111111111111111');

/** What programs may ask of the chain itself. */
export const SYSVARS: readonly Address[] = [
  CLOCK,
  address('SysvarRent111111111111111111111111111111111'),
  address('SysvarEpochSchedu1e111111111111111111111111'),
  address('SysvarS1otHashes111111111111111111111111111'),
  address('SysvarLastRestartS1ot1111111111111111111111'),
];

/** The runtime makes this one up for each transaction. */
export const INSTRUCTIONS_SYSVAR: Address = address('Sysvar1nstructions1111111111111111111111111');
