import { account } from '#layout/account.ts';
import { bool, pubkey, u8, u16, u32, u64, type ValueOf, vec } from '#layout/field-types.ts';

/** Of a `LendingAdmin`, with room for ten keys in `auths`. */
export const JUPLEND_LENDING_ADMIN_SIZE = 431;

/** The one account that mints every fToken. Field order and names are the IDL's (0.1.4). */
export const juplendLendingAdminLayout = account('LendingAdmin', {
  authority: pubkey,
  liquidityProgram: pubkey,
  rebalancer: pubkey,
  nextLendingId: u16,
  auths: vec(pubkey),
  bump: u8,
});

export type JuplendLendingAdmin = ValueOf<typeof juplendLendingAdminLayout>;

/**
 * What an fToken is worth: `tokenExchangePrice` in underlying tokens, scaled by 10^12, as of `lastUpdateTimestamp` (unix seconds). Packed.
 * Field order and names are the IDL's (0.1.4).
 */
export const juplendLendingLayout = account('Lending', {
  mint: pubkey,
  fTokenMint: pubkey,
  lendingId: u16,
  decimals: u8,
  rewardsRateModel: pubkey,
  liquidityExchangePrice: u64,
  tokenExchangePrice: u64,
  lastUpdateTimestamp: u64,
  tokenReservesLiquidity: pubkey,
  supplyPositionOnLiquidity: pubkey,
  bump: u8,
});

export type JuplendLending = ValueOf<typeof juplendLendingLayout>;

/**
 * The one account of the liquidity layer, owner of its token vaults; `status` true locks everything. Field order and names are the
 * IDL's (0.1.5).
 */
export const juplendLiquidityLayout = account('Liquidity', {
  authority: pubkey,
  revenueCollector: pubkey,
  status: bool,
  bump: u8,
});

export type JuplendLiquidity = ValueOf<typeof juplendLiquidityLayout>;

/**
 * The borrow rate over utilisation, with one kink (`version` 1) or two (2); 10_000 is one. Packed. Field order and names are the
 * IDL's (0.1.5).
 */
export const juplendRateModelLayout = account('RateModel', {
  mint: pubkey,
  version: u8,
  rateAtZero: u16,
  kink1Utilization: u16,
  rateAtKink1: u16,
  rateAtMax: u16,
  kink2Utilization: u16,
  rateAtKink2: u16,
});

export type JuplendRateModel = ValueOf<typeof juplendRateModelLayout>;

/**
 * What is paid on top of the lending rate, in the pool's own token: base units and seconds. Field order and names are the IDL's
 * (0.1.0).
 */
export const juplendRewardsRateModelLayout = account('LendingRewardsRateModel', {
  mint: pubkey,
  startTvl: u64,
  duration: u64,
  startTime: u64,
  yearlyReward: u64,
  nextDuration: u64,
  nextRewardAmount: u64,
  bump: u8,
});

export type JuplendRewardsRateModel = ValueOf<typeof juplendRewardsRateModelLayout>;

/**
 * One mint of the liquidity layer: what all protocols together supplied and borrowed. Exchange prices are scaled by 10^12 and as of
 * `lastUpdateTimestamp` (unix seconds); rates, fee and utilisation count 10_000 as one. Amounts with interest are raw: times their
 * side's exchange price. The `interacting` fields hold who announced a deposit within a transaction. Packed. Field order and names
 * are the IDL's (0.1.5).
 */
export const juplendTokenReserveLayout = account('TokenReserve', {
  mint: pubkey,
  vault: pubkey,
  borrowRate: u16,
  feeOnInterest: u16,
  lastUtilization: u16,
  lastUpdateTimestamp: u64,
  supplyExchangePrice: u64,
  borrowExchangePrice: u64,
  maxUtilization: u16,
  totalSupplyWithInterest: u64,
  totalSupplyInterestFree: u64,
  totalBorrowWithInterest: u64,
  totalBorrowInterestFree: u64,
  totalClaimAmount: u64,
  interactingProtocol: pubkey,
  interactingTimestamp: u64,
  interactingBalance: u64,
});

export type JuplendTokenReserve = ValueOf<typeof juplendTokenReserveLayout>;

/**
 * What one protocol borrowed of one mint, and how far its ceiling reaches. Amounts are raw where `withInterest` is 1. Packed. Field
 * order and names are the IDL's (0.1.5).
 */
export const juplendUserBorrowPositionLayout = account('UserBorrowPosition', {
  protocol: pubkey,
  mint: pubkey,
  withInterest: u8,
  amount: u64,
  debtCeiling: u64,
  lastUpdate: u64,
  expandPct: u16,
  expandDuration: u32,
  baseDebtCeiling: u64,
  maxDebtCeiling: u64,
  status: u8,
});

export type JuplendUserBorrowPosition = ValueOf<typeof juplendUserBorrowPositionLayout>;

/**
 * Tokens of one mint set aside for somebody to fetch. Packed. Field order and names are the IDL's (0.1.5).
 */
export const juplendUserClaimLayout = account('UserClaim', { user: pubkey, amount: u64, mint: pubkey });

export type JuplendUserClaim = ValueOf<typeof juplendUserClaimLayout>;

/**
 * What one protocol supplied of one mint, and how fast it may take it out. Amounts are raw where `withInterest` is 1. Packed. Field
 * order and names are the IDL's (0.1.5): until mid-2026 `withdrawalLimit` and `decayAmount` were one number of 128 bits, and
 * `expandDuration` and `decayDuration` one of 64, which are the same bytes while nothing decays.
 */
export const juplendUserSupplyPositionLayout = account('UserSupplyPosition', {
  protocol: pubkey,
  mint: pubkey,
  withInterest: u8,
  amount: u64,
  withdrawalLimit: u64,
  decayAmount: u64,
  lastUpdate: u64,
  expandPct: u16,
  expandDuration: u32,
  decayDuration: u32,
  baseWithdrawalLimit: u64,
  status: u8,
});

export type JuplendUserSupplyPosition = ValueOf<typeof juplendUserSupplyPositionLayout>;
