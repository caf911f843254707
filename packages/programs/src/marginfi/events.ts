import { type Codec, combineCodec, createDecoder, createEncoder } from '@solana/kit';
import { type EventLayout, event } from '#layout/event.ts';
import {
  array,
  bool,
  f64,
  i64,
  i80f48,
  option,
  pubkey,
  u8,
  u16,
  u32,
  u64,
  type ValueOf,
  vec,
} from '#layout/field-types.ts';
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

const LIQUIDATION = {
  header: accountEventHeader,
  liquidateeMarginfiAccount: pubkey,
  liquidateeMarginfiAccountAuthority: pubkey,
  assetBank: pubkey,
  assetMint: pubkey,
  liabilityBank: pubkey,
  liabilityMint: pubkey,
  liquidateePreHealth: f64,
  liquidateePostHealth: f64,
} as const;
const FOUR_BALANCES = {
  liquidateeAssetBalance: f64,
  liquidateeLiabilityBalance: f64,
  liquidatorAssetBalance: f64,
  liquidatorLiabilityBalance: f64,
} as const;
const fourBalances = struct(FOUR_BALANCES);
const fiveBalances = struct({ ...FOUR_BALANCES, liquidatorLiabilityBankAssetBalance: f64 });
const liquidation = struct(LIQUIDATION);
const ofFour = struct({ ...LIQUIDATION, preBalances: fourBalances, postBalances: fourBalances });
const ofFive = struct({ ...LIQUIDATION, preBalances: fiveBalances, postBalances: fiveBalances });
const SIZE_OF_FIVE = 2 * fiveBalances.fixedSize;

/**
 * One account's collateral was exchanged for its debt by another; the header is the liquidator's. Health in USD, balances in base
 * units, both rounded to floats by the program. Since 0.1.10 both balances have a fifth number, the first of them before the others'
 * end: read as four, every number after it is wrong and nothing fails. So the length says which form it is.
 */
export const lendingAccountLiquidateEvent: EventLayout<LiquidationFields> = {
  ...event('LendingAccountLiquidateEvent', LIQUIDATION),
  fields: combineCodec(
    createEncoder<LiquidationFields>({
      getSizeFromValue: (value) => formOf(value).encode(value as never).length,
      write: (value, bytes, offset) => formOf(value).write(value as never, bytes, offset),
    }),
    createDecoder<LiquidationFields>({
      read(data, offset) {
        const [, balancesAt] = liquidation.read(data, offset);
        return (data.length - balancesAt >= SIZE_OF_FIVE ? ofFive : ofFour).read(data, offset);
      },
    }),
  ),
};

type LiquidationFields = ValueOf<typeof ofFour> | ValueOf<typeof ofFive>;

function formOf({ preBalances }: LiquidationFields): Codec<never> {
  return ('liquidatorLiabilityBankAssetBalance' in preBalances ? ofFive : ofFour) as unknown as Codec<never>;
}

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
 * `premiumWrittenOff` exists from 0.1.12 and is null before.
 */
export const lendingPoolBankHandleBankruptcyEvent = event('LendingPoolBankHandleBankruptcyEvent', {
  header: accountEventHeader,
  bank: pubkey,
  mint: pubkey,
  badDebt: f64,
  coveredAmount: f64,
  socializedAmount: f64,
  premiumWrittenOff: trailing(f64),
});

/** A bank has a fixed price: USD for one UI token, raw I80F48. Until 0.1.10. */
export const lendingPoolBankSetFixedOraclePriceEvent = event('LendingPoolBankSetFixedOraclePriceEvent', {
  header: groupEventHeader,
  bank: pubkey,
  price: i80f48,
});

/** The same since 0.1.11. */
export const lendingPoolBankSetOraclePriceEvent = event('LendingPoolBankSetOraclePriceEvent', {
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

/** A bank's circuit breaker halted it, from and until unix seconds. Names no bank: its instruction does. From 0.1.10. */
export const circuitBreakerTrippedEvent = event('CircuitBreakerTrippedEvent', {
  tier: u8,
  deviationBps: u64,
  haltStartedAt: i64,
  haltEndedAt: i64,
});

/** The halt is over: `reason` 0 by an admin, 1 by its time. From 0.1.10. */
export const circuitBreakerClearedEvent = event('CircuitBreakerClearedEvent', {
  priorTier: u8,
  reason: u8,
  currentTimestamp: i64,
});

/** A bank that tripped the last tier too often is broken until an admin opens it. From 0.1.10. */
export const circuitBreakerAutoBrokenEvent = event('CircuitBreakerAutoBrokenEvent', {
  consecutiveTier3Trips: u8,
  currentTimestamp: i64,
});

/** From 0.1.10. */
export const lendingPoolBankSetSameAssetEmodeEligibilityEvent = event(
  'LendingPoolBankSetSameAssetEmodeEligibilityEvent',
  { header: groupEventHeader, bank: pubkey, mint: pubkey, enabled: bool },
);

/**
 * Premium was paid or written off, after the repayment's own event and only where there was some. Native units as floats. From 0.1.12,
 * as are those below.
 */
export const lendingAccountPremiumSettledEvent = event('LendingAccountPremiumSettledEvent', {
  header: accountEventHeader,
  bank: pubkey,
  mint: pubkey,
  premiumSettled: f64,
  premiumWrittenOff: f64,
  premiumOutstandingRemaining: f64,
});

/** Premiums went from a bank to the wallet for them. Native units as floats. */
export const lendingPoolPremiumFeesCollectedEvent = event('LendingPoolPremiumFeesCollectedEvent', {
  header: groupEventHeader,
  bank: pubkey,
  mint: pubkey,
  premiumCollected: f64,
  premiumOutstanding: f64,
});

/** The premium of debts with one tag against collateral with another changed; rates as the curve's points. */
export const lendingPoolGroupPremiumConfigureEvent = event('LendingPoolGroupPremiumConfigureEvent', {
  header: groupEventHeader,
  collateralTag: u16,
  liabilityTag: u16,
  oldRate: u32,
  newRate: u32,
});

/** A bank has another tag, or its debts begin or cease to accrue premium. */
export const lendingPoolBankPremiumConfigureEvent = event('LendingPoolBankPremiumConfigureEvent', {
  header: groupEventHeader,
  bank: pubkey,
  mint: pubkey,
  premiumTag: u16,
  active: bool,
});

/** An account is tagged for liquidation since then; 0: no more. Only the tagging instruction tells: other changes are silent. */
export const liquidationTagEvent = event('LiquidationTagEvent', { account: pubkey, taggedAt: i64 });

export const setGovernanceAdminEvent = event('SetGovernanceAdminEvent', {
  header: groupEventHeader,
  previousGovernanceAdmin: pubkey,
  newGovernanceAdmin: pubkey,
});

const rebalanceTerms = {
  allowedBanks: vec(pubkey),
  minImprovement: i80f48,
  cooldown: u64,
  amount: u64,
  keeperTip: u64,
} as const;

/** An order to move a deposit to the best of its banks; `minImprovement` raw I80F48, 1 is 100 %. */
export const marginfiAccountPlaceRebalanceOrderEvent = event('MarginfiAccountPlaceRebalanceOrderEvent', {
  header: accountEventHeader,
  order: pubkey,
  mint: pubkey,
  ...rebalanceTerms,
});

export const marginfiAccountUpdateRebalanceOrderEvent = event('MarginfiAccountUpdateRebalanceOrderEvent', {
  header: accountEventHeader,
  order: pubkey,
  ...rebalanceTerms,
});

export const marginfiAccountCloseRebalanceOrderEvent = event('MarginfiAccountCloseRebalanceOrderEvent', {
  header: accountEventHeader,
  order: pubkey,
});

export const keeperCloseRebalanceOrderEvent = event('KeeperCloseRebalanceOrderEvent', {
  header: accountEventHeader,
  order: pubkey,
});

/** Lamports went into the pool that tips are paid from: `amount` without the rent, `newBalance` with it. */
export const rebalanceFeePoolTopUpEvent = event('RebalanceFeePoolTopUpEvent', {
  header: accountEventHeader,
  feePool: pubkey,
  amount: u64,
  newBalance: u64,
});

export const rebalanceFeePoolWithdrawEvent = event('RebalanceFeePoolWithdrawEvent', {
  header: accountEventHeader,
  feePool: pubkey,
  amount: u64,
  newBalance: u64,
});

/** `valueMoved` in whole tokens, raw I80F48. */
export const rebalanceExecutedEvent = event('RebalanceExecutedEvent', {
  header: accountEventHeader,
  order: pubkey,
  executor: pubkey,
  bankCount: u8,
  valueMoved: i80f48,
  tipEscrowed: u64,
});

/** A tip above 0 of a rebalance that is not `realized` went to its executor, and not back. */
export const rebalanceTipSettledEvent = event('RebalanceTipSettledEvent', {
  header: accountEventHeader,
  order: pubkey,
  executor: pubkey,
  realized: bool,
  tipPaid: u64,
});
