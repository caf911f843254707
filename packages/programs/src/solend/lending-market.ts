import { bytes, pubkey, u8, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';
import { rateLimiter } from './rate-limiter.ts';

/**
 * What Save's reserves belong to, tightly packed and without a discriminator: `version` is 1, or 0 before it is set up. Anyone may open
 * a market. The quote currency is a text such as `USD`, or a mint; a liquidator of zeros is none, a risk authority of zeros the owner.
 * @see solana-program-library (Solend's) token-lending/sdk/src/state/lending_market.rs
 */
export const solendLendingMarketLayout = struct({
  version: u8,
  bumpSeed: u8,
  owner: pubkey,
  quoteCurrency: bytes(32),
  tokenProgramId: pubkey,
  oracleProgramId: pubkey,
  switchboardOracleProgramId: pubkey,
  rateLimiter,
  whitelistedLiquidator: pubkey,
  riskAuthority: pubkey,
  _padding: bytes(8),
});

export type SolendLendingMarket = ValueOf<typeof solendLendingMarketLayout>;
