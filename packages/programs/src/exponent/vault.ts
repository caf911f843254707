import { account } from '#layout/account.ts';
import { array, bytes, pubkey, u32, u64, type ValueOf } from '#layout/field-types.ts';

/** 256 bits, the lowest word first: asset for one SY, with twelve decimals. */
const syRate = array(u64, 4);

/**
 * A vault of one maturity, as far as its totals: `syForPt` backs all principal tokens there are. Times in unix seconds.
 * Names are those of Exponent's IDL (exponent_core 0.1.0).
 */
export const exponentVaultLayout = account('Vault', {
  syProgram: pubkey,
  mintSy: pubkey,
  mintYt: pubkey,
  mintPt: pubkey,
  escrowYt: pubkey,
  escrowSy: pubkey,
  yieldPosition: pubkey,
  addressLookupTable: pubkey,
  startTs: u32,
  duration: u32,
  signerSeed: pubkey,
  authority: pubkey,
  signerBump: bytes(1),
  lastSeenSyExchangeRate: syRate,
  allTimeHighSyExchangeRate: syRate,
  finalSyExchangeRate: syRate,
  totalSyInEscrow: u64,
  syForPt: u64,
  ptSupply: u64,
});

export type ExponentVault = ValueOf<typeof exponentVaultLayout>;
