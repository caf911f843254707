import { largerOf, U64_MAX } from '@lending/domain';
import { LendingError } from '@lending/errors';
import {
  NO_KEY,
  SOLEND_PROGRAM,
  type SolendLendingMarket,
  type SolendReserve,
  solendLendingMarketLayout,
  solendReserveLayout,
} from '@lending/programs';
import type { AccountBytes } from '../account.ts';
import { decodeAccount } from '../decode-account.ts';

/** Save's accounts have no discriminator. Their first byte is a version: 1, or 0 before they are set up; their length says what they are. */
export const LIVE_VERSION = Uint8Array.of(1);
/** Tenths of a percent. */
const MAX_PROTOCOL_LIQUIDATION_FEE = 50;
/** The most decimals whose power of ten the program can multiply with. */
const MAX_DECIMALS = 19;

const RESERVE_SHAPE = {
  kind: 'Save reserve',
  owner: SOLEND_PROGRAM,
  discriminator: LIVE_VERSION,
  isExact: true,
};
const MARKET_SHAPE = {
  kind: 'Save lending market',
  owner: SOLEND_PROGRAM,
  discriminator: LIVE_VERSION,
  isExact: true,
};

/**
 * Reads a reserve as the program does, with what it corrects on reading.
 * @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED
 */
export function decodeReserve(account: AccountBytes): SolendReserve {
  const reserve = decodeAccount(account, RESERVE_SHAPE, solendReserveLayout);
  const { optimalUtilizationRate, minBorrowRate, optimalBorrowRate } = reserve.config;
  const isSound =
    optimalUtilizationRate <= 100 &&
    reserve.maxUtilizationRate <= 100 &&
    minBorrowRate <= optimalBorrowRate &&
    reserve.config.protocolTakeRate <= 100 &&
    reserve.liquidity.mintDecimals <= MAX_DECIMALS;
  if (!isSound) {
    throw new LendingError('DECODE__VALUE_OUT_OF_RANGE', {
      message: `Save reserve ${account.address} has terms that the program would not take`,
      context: { address: account.address },
    });
  }
  return correctReserve(reserve);
}

/**
 * Reads the market a reserve belongs to.
 * @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED
 */
export function decodeMarket(account: AccountBytes): SolendLendingMarket {
  return correctMarket(decodeAccount(account, MARKET_SHAPE, solendLendingMarketLayout));
}

/**
 * What the program takes stored fields for: those that older versions left at zero, or used otherwise, are brought into their range.
 * @see solana-program-library (Solend's) token-lending/sdk/src/state/reserve.rs `unpack_from_slice`
 */
export function correctReserve(reserve: SolendReserve): SolendReserve {
  const { config } = reserve;
  return {
    ...reserve,
    config: {
      ...config,
      protocolLiquidationFee: Math.min(config.protocolLiquidationFee, MAX_PROTOCOL_LIQUIDATION_FEE),
    },
    maxUtilizationRate: Math.max(reserve.maxUtilizationRate, config.optimalUtilizationRate),
    superMaxBorrowRate: largerOf(reserve.superMaxBorrowRate, BigInt(config.maxBorrowRate)),
    maxLiquidationBonus: Math.max(reserve.maxLiquidationBonus, config.liquidationBonus),
    maxLiquidationThreshold: Math.max(reserve.maxLiquidationThreshold, config.liquidationThreshold),
    attributedBorrowLimitOpen: reserve.attributedBorrowLimitOpen || U64_MAX,
    attributedBorrowLimitClose: reserve.attributedBorrowLimitClose || U64_MAX,
  };
}

/** The same of a market: a risk authority that was never set is the owner. */
export function correctMarket(market: SolendLendingMarket): SolendLendingMarket {
  return { ...market, riskAuthority: market.riskAuthority === NO_KEY ? market.owner : market.riskAuthority };
}
