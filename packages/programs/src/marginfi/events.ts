import { event } from '#layout/event.ts';
import { array, bool, f64, i64, i80f48, option, pubkey, u8, u16, u32, u64, vec } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';
import { trailing } from '#layout/trailing.ts';
import { bankConfigOpt } from './instructions/pool.ts';
import { healthCache } from './marginfi-account.ts';

/** Who did something to which account; every account event begins with it. */
const accountEventHeader = struct({
  signer: option(pubkey),
  marginfiAccount: pubkey,
  marginfiAccountAuthority: pubkey,
  marginfiGroup: pubkey,
});

/** Who did something in which group; null where anyone may. */
const groupEventHeader = struct({ signer: option(pubkey), marginfiGroup: pubkey });

/** Someone closed an empty account that nobody had used for long; its rent went to the wallet. From 0.1.9. */
export const adminCloseAccountEvent = event('AdminCloseAccountEvent', {
  header: accountEventHeader,
  globalFeeWallet: pubkey,
});

/** A deleverage took tokens out. Whole USD. From 0.1.8. */
export const deleverageWithdrawFlowEvent = event('DeleverageWithdrawFlowEvent', {
  group: pubkey,
  bank: pubkey,
  mint: pubkey,
  outflowUsd: u32,
  currentTimestamp: i64,
});

/** A forced deleverage ended. USD at equity prices, rounded to floats by the program. */
export const deleverageEvent = event('DeleverageEvent', {
  marginfiAccount: pubkey,
  riskAdmin: pubkey,
  deleverageeAssetsSeized: f64,
  deleverageeLiabilityRepaid: f64,
});

/** A Drift bank was paid its share of a bad debt. Base units of the claim mint. From 0.1.9. */
export const driftClaimBadDebtEvent = event('DriftClaimBadDebtEvent', {
  header: groupEventHeader,
  bank: pubkey,
  claimMint: pubkey,
  distributor: pubkey,
  claimStatus: pubkey,
  liquidityVaultAuthority: pubkey,
  globalFeeWallet: pubkey,
  requestedAmount: u64,
  receivedAmount: u64,
  sweptAmount: u64,
});

const stakedSettingsEditConfig = struct({
  oracle: option(pubkey),
  assetWeightInit: option(i80f48),
  assetWeightMaint: option(i80f48),
  depositLimit: option(u64),
  totalAssetValueInitLimit: option(u64),
  oracleMaxAge: option(u16),
  riskTier: option(u8),
});

/** The defaults of a group's staked banks changed: null is what stayed. */
export const editStakedSettingsEvent = event('EditStakedSettingsEvent', {
  group: pubkey,
  settings: stakedSettingsEditConfig,
});

/** What the program thinks of an account's health. Not emitted by the instructions that write the cache on their way. */
export const healthPulseEvent = event('HealthPulseEvent', { account: pubkey, healthCache });

/** A keeper closed an order that had lost its balances. From 0.1.8. */
export const keeperCloseOrderEvent = event('KeeperCloseOrderEvent', { header: accountEventHeader, order: pubkey });

/**
 * Tokens were borrowed. `amount` is what the debt went up by, the origination fee included, in base units. `shareAmount` (raw
 * I80F48) exists from 0.1.9 and is null before.
 */
export const lendingAccountBorrowEvent = event('LendingAccountBorrowEvent', {
  header: accountEventHeader,
  bank: pubkey,
  mint: pubkey,
  amount: u64,
  shareAmount: trailing(i80f48),
});

/**
 * Tokens were added to a balance. `amount` is what was credited, in base units of the underlying. `shareAmount` (raw I80F48)
 * exists from 0.1.9 and is null before.
 */
export const lendingAccountDepositEvent = event('LendingAccountDepositEvent', {
  header: accountEventHeader,
  bank: pubkey,
  mint: pubkey,
  amount: u64,
  shareAmount: trailing(i80f48),
});

const liquidationBalances = struct({
  liquidateeAssetBalance: f64,
  liquidateeLiabilityBalance: f64,
  liquidatorAssetBalance: f64,
  liquidatorLiabilityBalance: f64,
});

/**
 * One account's collateral was exchanged for its debt by another; the header is the liquidator's. Health in USD, balances in base
 * units, both rounded to floats by the program.
 */
export const lendingAccountLiquidateEvent = event('LendingAccountLiquidateEvent', {
  header: accountEventHeader,
  liquidateeMarginfiAccount: pubkey,
  liquidateeMarginfiAccountAuthority: pubkey,
  assetBank: pubkey,
  assetMint: pubkey,
  liabilityBank: pubkey,
  liabilityMint: pubkey,
  liquidateePreHealth: f64,
  liquidateePostHealth: f64,
  preBalances: liquidationBalances,
  postBalances: liquidationBalances,
});

/**
 * Debt was paid back. `amount` is what the debt went down by, in base units. `shareAmount` (raw I80F48) exists from 0.1.9 and is
 * null before.
 */
export const lendingAccountRepayEvent = event('LendingAccountRepayEvent', {
  header: accountEventHeader,
  bank: pubkey,
  mint: pubkey,
  amount: u64,
  closeBalance: bool,
  shareAmount: trailing(i80f48),
});

/**
 * Tokens were taken out of a balance. `amount` is what left the vault, a Token-2022 fee included, in base units; in Kamino and
 * Solend banks it is collateral tokens. `shareAmount` (raw I80F48) exists from 0.1.9 and is null before.
 */
export const lendingAccountWithdrawEvent = event('LendingAccountWithdrawEvent', {
  header: accountEventHeader,
  bank: pubkey,
  mint: pubkey,
  amount: u64,
  closeBalance: bool,
  shareAmount: trailing(i80f48),
});

/**
 * A bank accrued interest over `delta` seconds. What was collected is in base units, for display: the program rounds it to a
 * float.
 */
export const lendingPoolBankAccrueInterestEvent = event('LendingPoolBankAccrueInterestEvent', {
  header: groupEventHeader,
  bank: pubkey,
  mint: pubkey,
  delta: u64,
  feesCollected: f64,
  insuranceCollected: f64,
});

/** Fees left a bank's liquidity vault. Base units, rounded to floats by the program. */
export const lendingPoolBankCollectFeesEvent = event('LendingPoolBankCollectFeesEvent', {
  header: groupEventHeader,
  bank: pubkey,
  mint: pubkey,
  groupFeesCollected: f64,
  groupFeesOutstanding: f64,
  insuranceFeesCollected: f64,
  insuranceFeesOutstanding: f64,
});

/** The limits of a bank changed whose other settings are frozen. Base units. */
export const lendingPoolBankConfigureFrozenEvent = event('LendingPoolBankConfigureFrozenEvent', {
  header: groupEventHeader,
  bank: pubkey,
  mint: pubkey,
  depositLimit: u64,
  borrowLimit: u64,
});

/** A bank has another oracle. `oracle` is the first key of the setup. */
export const lendingPoolBankConfigureOracleEvent = event('LendingPoolBankConfigureOracleEvent', {
  header: groupEventHeader,
  bank: pubkey,
  oracleSetup: u8,
  oracle: pubkey,
});

/** A bank's parameters changed: null is what stayed. */
export const lendingPoolBankConfigureEvent = event('LendingPoolBankConfigureEvent', {
  header: groupEventHeader,
  bank: pubkey,
  mint: pubkey,
  config: bankConfigOpt,
});

/** A bank exists. */
export const lendingPoolBankCreateEvent = event('LendingPoolBankCreateEvent', {
  header: groupEventHeader,
  bank: pubkey,
  mint: pubkey,
});

/**
 * A debt was written off: covered by insurance, the rest by the bank's lenders. Base units, rounded to floats by the program.
 */
export const lendingPoolBankHandleBankruptcyEvent = event('LendingPoolBankHandleBankruptcyEvent', {
  header: accountEventHeader,
  bank: pubkey,
  mint: pubkey,
  badDebt: f64,
  coveredAmount: f64,
  socializedAmount: f64,
});

/** A bank has a fixed price: USD for one UI token, raw I80F48. */
export const lendingPoolBankSetFixedOraclePriceEvent = event('LendingPoolBankSetFixedOraclePriceEvent', {
  header: groupEventHeader,
  bank: pubkey,
  price: i80f48,
});

/** The admin put base units into a bank's vault, to the lenders' gain. */
export const lendingPoolSuperAdminDepositEvent = event('LendingPoolSuperAdminDepositEvent', {
  header: groupEventHeader,
  bank: pubkey,
  mint: pubkey,
  transferAmount: u64,
  vaultInflowAmount: u64,
});

/** The admin took base units out of a bank's vault, at the lenders' cost. */
export const lendingPoolSuperAdminWithdrawEvent = event('LendingPoolSuperAdminWithdrawEvent', {
  header: groupEventHeader,
  bank: pubkey,
  mint: pubkey,
  vaultOutflowAmount: u64,
});

/** A receivership ended. USD at equity prices, rounded to floats by the program; the fee in lamports. */
export const liquidationReceiverEvent = event('LiquidationReceiverEvent', {
  marginfiAccount: pubkey,
  liquidationReceiver: pubkey,
  liquidateeAssetsSeized: f64,
  liquidateeLiabilityRepaid: f64,
  lampsFeePaid: u32,
});

/** The owner closed an order. From 0.1.8. */
export const marginfiAccountCloseOrderEvent = event('MarginfiAccountCloseOrderEvent', {
  header: accountEventHeader,
  order: pubkey,
});

/** An account exists. */
export const marginfiAccountCreateEvent = event('MarginfiAccountCreateEvent', { header: accountEventHeader });

/** A group's admin froze an account, or let it go. */
export const marginfiAccountFreezeEvent = event('MarginfiAccountFreezeEvent', {
  header: accountEventHeader,
  frozen: bool,
});

/**
 * An order was placed. `trigger`: 0 stop loss, 1 take profit, 2 both; the thresholds in USD, raw I80F48; `tags` mark the two
 * balances. From 0.1.8.
 */
export const marginfiAccountPlaceOrderEvent = event('MarginfiAccountPlaceOrderEvent', {
  header: accountEventHeader,
  order: pubkey,
  trigger: u8,
  stopLoss: i80f48,
  takeProfit: i80f48,
  tags: array(u16, 2),
});

/** Every balance moved to a new account; the header is the new one's. */
export const marginfiAccountTransferToNewAccountEvent = event('MarginfiAccountTransferToNewAccount', {
  header: accountEventHeader,
  oldAccount: pubkey,
  oldAccountAuthority: pubkey,
  newAccountAuthority: pubkey,
});

/** A group's settings changed. `admin` is the new one where it changed; up to 0.1.7 it was always there, with other bytes. */
export const marginfiGroupConfigureEvent = event('MarginfiGroupConfigureEvent', {
  header: groupEventHeader,
  admin: option(pubkey),
  flags: u64,
});

/** A group exists. */
export const marginfiGroupCreateEvent = event('MarginfiGroupCreateEvent', { header: groupEventHeader });

/** Tokens flowed through a bank while a rate limit watches. `flowDirection`: 0 out, 1 in. Base units. From 0.1.8. */
export const rateLimitFlowEvent = event('RateLimitFlowEvent', {
  group: pubkey,
  bank: pubkey,
  mint: pubkey,
  flowDirection: u8,
  nativeAmount: u64,
  mintDecimals: u8,
  currentTimestamp: i64,
});

/** The owner let keepers close the orders of some banks; null is all of them. From 0.1.8. */
export const setKeeperCloseFlagsEvent = event('SetKeeperCloseFlagsEvent', {
  header: accountEventHeader,
  bankKeys: option(vec(pubkey)),
});
