export { findDerivedAddress } from './derived-address.ts';
export {
  DRIFT_PROGRAM,
  DRIFT_SIGNER,
  DRIFT_STATE,
  findDriftInsuranceVault,
  findDriftSpotMarket,
  findDriftSpotMarketVault,
  findDriftUser,
} from './drift/addresses.ts';
export { DRIFT_REFRESH_SPOT_MARKET_DISCRIMINATOR } from './drift/refresh.ts';
export {
  DRIFT_SPOT_MARKET_DISCRIMINATOR,
  DRIFT_SPOT_MARKET_SIZE,
  type DriftSpotMarket,
  type DriftSpotMarketArgs,
  getDriftSpotMarketCodec,
  getDriftSpotMarketDecoder,
  getDriftSpotMarketEncoder,
} from './drift/spot-market.ts';
export {
  DRIFT_STATE_DISCRIMINATOR,
  DRIFT_STATE_SIZE,
  type DriftState,
  type DriftStateArgs,
  getDriftStateCodec,
  getDriftStateDecoder,
  getDriftStateEncoder,
} from './drift/state.ts';
export {
  DRIFT_USER_DISCRIMINATOR,
  DRIFT_USER_SIZE,
  type DriftUser,
  type DriftUserArgs,
  getDriftUserCodec,
  getDriftUserDecoder,
  getDriftUserEncoder,
} from './drift/user.ts';
export { decodeEvent, defineEvent, type EventLayout, encodeEvent, isEventOf } from './event-layout.ts';
export { getAddressBytes, readAddress } from './fixed-offset/address-codec.ts';
export {
  type AccountSlot,
  type AccountsOf,
  decodeArguments,
  defineInstruction,
  encodeInstruction,
  type InstructionLayout,
  isInstructionOf,
} from './instruction-layout.ts';
export { JITO_TIP_ACCOUNTS } from './jito/tip-accounts.ts';
export {
  findJuplendFTokenMint,
  findJuplendLending,
  findJuplendLendingAdmin,
  findJuplendLiquidity,
  findJuplendRateModel,
  findJuplendRewardsRateModel,
  findJuplendTokenReserve,
  findJuplendUserBorrowPosition,
  findJuplendUserClaim,
  findJuplendUserSupplyPosition,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  JUPLEND_REWARDS_PROGRAM,
} from './juplend/addresses.ts';
export { JUPLEND_EARN_ERRORS, JUPLEND_LIBRARY_ERRORS, JUPLEND_LIQUIDITY_ERRORS } from './juplend/errors.ts';
export { juplendEarnDeposit } from './juplend/instructions/earn-deposit.ts';
export { juplendEarnMint } from './juplend/instructions/earn-mint.ts';
export { juplendEarnRedeem } from './juplend/instructions/earn-redeem.ts';
export { juplendEarnUpdateRate } from './juplend/instructions/earn-update-rate.ts';
export { juplendEarnWithdraw } from './juplend/instructions/earn-withdraw.ts';
export { juplendLiquidityInitClaimAccount } from './juplend/instructions/liquidity-init-claim-account.ts';
export { juplendLiquidityOperate } from './juplend/instructions/liquidity-operate.ts';
export { juplendLiquidityPreOperate } from './juplend/instructions/liquidity-pre-operate.ts';
export { juplendLiquidityUpdateExchangePrice } from './juplend/instructions/liquidity-update-exchange-price.ts';
export {
  getJuplendLendingCodec,
  getJuplendLendingDecoder,
  getJuplendLendingEncoder,
  JUPLEND_LENDING_DISCRIMINATOR,
  JUPLEND_LENDING_SIZE,
  type JuplendLending,
  type JuplendLendingArgs,
} from './juplend/lending.ts';
export {
  getJuplendLendingAdminCodec,
  JUPLEND_LENDING_ADMIN_DISCRIMINATOR,
  JUPLEND_LENDING_ADMIN_SIZE,
  type JuplendLendingAdmin,
} from './juplend/lending-admin.ts';
export {
  getJuplendLiquidityCodec,
  getJuplendLiquidityDecoder,
  getJuplendLiquidityEncoder,
  JUPLEND_LIQUIDITY_DISCRIMINATOR,
  JUPLEND_LIQUIDITY_SIZE,
  type JuplendLiquidity,
  type JuplendLiquidityArgs,
} from './juplend/liquidity.ts';
export {
  getJuplendRateModelCodec,
  getJuplendRateModelDecoder,
  getJuplendRateModelEncoder,
  JUPLEND_RATE_MODEL_DISCRIMINATOR,
  JUPLEND_RATE_MODEL_SIZE,
  type JuplendRateModel,
  type JuplendRateModelArgs,
} from './juplend/rate-model.ts';
export {
  getJuplendRewardsRateModelCodec,
  getJuplendRewardsRateModelDecoder,
  getJuplendRewardsRateModelEncoder,
  JUPLEND_REWARDS_RATE_MODEL_DISCRIMINATOR,
  JUPLEND_REWARDS_RATE_MODEL_SIZE,
  type JuplendRewardsRateModel,
  type JuplendRewardsRateModelArgs,
} from './juplend/rewards-rate-model.ts';
export {
  getJuplendTokenReserveCodec,
  getJuplendTokenReserveDecoder,
  getJuplendTokenReserveEncoder,
  JUPLEND_TOKEN_RESERVE_DISCRIMINATOR,
  JUPLEND_TOKEN_RESERVE_SIZE,
  type JuplendTokenReserve,
  type JuplendTokenReserveArgs,
} from './juplend/token-reserve.ts';
export {
  getJuplendUserBorrowPositionCodec,
  getJuplendUserBorrowPositionDecoder,
  getJuplendUserBorrowPositionEncoder,
  JUPLEND_USER_BORROW_POSITION_DISCRIMINATOR,
  JUPLEND_USER_BORROW_POSITION_SIZE,
  type JuplendUserBorrowPosition,
  type JuplendUserBorrowPositionArgs,
} from './juplend/user-borrow-position.ts';
export {
  getJuplendUserClaimCodec,
  getJuplendUserClaimDecoder,
  getJuplendUserClaimEncoder,
  JUPLEND_USER_CLAIM_DISCRIMINATOR,
  JUPLEND_USER_CLAIM_SIZE,
  type JuplendUserClaim,
  type JuplendUserClaimArgs,
} from './juplend/user-claim.ts';
export {
  getJuplendUserSupplyPositionCodec,
  getJuplendUserSupplyPositionDecoder,
  getJuplendUserSupplyPositionEncoder,
  JUPLEND_USER_SUPPLY_POSITION_DISCRIMINATOR,
  JUPLEND_USER_SUPPLY_POSITION_SIZE,
  type JuplendUserSupplyPosition,
  type JuplendUserSupplyPositionArgs,
} from './juplend/user-supply-position.ts';
export {
  getKaminoFarmCodec,
  getKaminoFarmDecoder,
  getKaminoFarmEncoder,
  KAMINO_FARM_DISCRIMINATOR,
  KAMINO_FARM_SIZE,
  type KaminoFarm,
  type KaminoFarmArgs,
} from './kamino-farms/farm-state.ts';
export {
  findKlendMarketAuthority,
  findKlendObligation,
  findKlendUserMetadata,
  KAMINO_FARMS_PROGRAM,
  KLEND_PROGRAM,
  type KlendObligationSeeds,
} from './klend/addresses.ts';
export { KLEND_ERRORS, type KlendErrorName } from './klend/errors.ts';
export { klendDepositReserveLiquidity } from './klend/instructions/deposit-reserve-liquidity.ts';
export { klendDepositReserveLiquidityAndObligationCollateral } from './klend/instructions/deposit-reserve-liquidity-and-obligation-collateral.ts';
export { klendDepositReserveLiquidityAndObligationCollateralV2 } from './klend/instructions/deposit-reserve-liquidity-and-obligation-collateral-v2.ts';
export { klendInitObligation } from './klend/instructions/init-obligation.ts';
export { klendInitObligationFarmsForReserve } from './klend/instructions/init-obligation-farms-for-reserve.ts';
export { klendInitUserMetadata } from './klend/instructions/init-user-metadata.ts';
export { klendRedeemReserveCollateral } from './klend/instructions/redeem-reserve-collateral.ts';
export { klendRefreshObligation } from './klend/instructions/refresh-obligation.ts';
export { klendRefreshReserve } from './klend/instructions/refresh-reserve.ts';
export { klendRefreshReservesBatch } from './klend/instructions/refresh-reserves-batch.ts';
export { klendWithdrawObligationCollateralAndRedeemReserveCollateral } from './klend/instructions/withdraw-obligation-collateral-and-redeem-reserve-collateral.ts';
export { klendWithdrawObligationCollateralAndRedeemReserveCollateralV2 } from './klend/instructions/withdraw-obligation-collateral-and-redeem-reserve-collateral-v2.ts';
export {
  getKlendMarketCodec,
  getKlendMarketDecoder,
  getKlendMarketEncoder,
  KLEND_MARKET_DISCRIMINATOR,
  KLEND_MARKET_SIZE,
  type KlendMarket,
  type KlendMarketArgs,
} from './klend/lending-market.ts';
export {
  getKlendObligationCodec,
  getKlendObligationDecoder,
  getKlendObligationEncoder,
  KLEND_OBLIGATION_DISCRIMINATOR,
  KLEND_OBLIGATION_SIZE,
  type KlendObligation,
  type KlendObligationArgs,
} from './klend/obligation.ts';
export {
  getKlendReserveCodec,
  getKlendReserveDecoder,
  getKlendReserveEncoder,
  KLEND_RESERVE_DISCRIMINATOR,
  KLEND_RESERVE_SIZE,
  type KlendReserve,
  type KlendReserveArgs,
} from './klend/reserve.ts';
export {
  getKlendUserMetadataCodec,
  getKlendUserMetadataDecoder,
  getKlendUserMetadataEncoder,
  KLEND_USER_METADATA_DISCRIMINATOR,
  KLEND_USER_METADATA_SIZE,
  type KlendUserMetadata,
  type KlendUserMetadataArgs,
} from './klend/user-metadata.ts';
export { LOOKUP_TABLE_PROGRAM, readLookupTable } from './lookup-table/lookup-table.ts';
export {
  type BankVault,
  findBankMetadata,
  findBankVault,
  findBankVaultAuthority,
  findFeeState,
  findMarginfiAccount,
  type LendingAccountSeeds,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
} from './marginfi/addresses.ts';
export { MAX_BALANCES } from './marginfi/balance-slots.ts';
export {
  BANK_DISCRIMINATOR,
  BANK_SIZE,
  type Bank,
  type BankArgs,
  getBankCodec,
  getBankEncoder,
} from './marginfi/bank.ts';
export { BANK_OPERATIONAL_STATES, BANK_ORACLE_SETUPS, BANK_RISK_TIERS } from './marginfi/bank-config.ts';
export {
  BANK_METADATA_DISCRIMINATOR,
  BANK_METADATA_SIZE,
  type BankMetadata,
  type BankMetadataArgs,
  getBankMetadataCodec,
  getBankMetadataDecoder,
  getBankMetadataEncoder,
} from './marginfi/bank-metadata.ts';
export {
  MARGINFI_ERRORS,
  type MarginfiErrorName,
  type MarginfiErrorVersion,
  marginfiErrorName,
  type OldMarginfiErrorName,
} from './marginfi/errors.ts';
export { adminCloseAccountEvent } from './marginfi/events/admin-close-account.ts';
export { deleverageEvent } from './marginfi/events/deleverage.ts';
export { deleverageWithdrawFlowEvent } from './marginfi/events/deleverage-withdraw-flow.ts';
export { driftClaimBadDebtEvent } from './marginfi/events/drift-claim-bad-debt.ts';
export { editStakedSettingsEvent } from './marginfi/events/edit-staked-settings.ts';
export { FIRST_ACCOUNT_EVENTS, isFirstAccountEvent } from './marginfi/events/first-account-events.ts';
export { healthPulseEvent } from './marginfi/events/health-pulse.ts';
export { keeperCloseOrderEvent } from './marginfi/events/keeper-close-order.ts';
export { lendingAccountBorrowEvent } from './marginfi/events/lending-account-borrow.ts';
export { lendingAccountDepositEvent } from './marginfi/events/lending-account-deposit.ts';
export { lendingAccountLiquidateEvent } from './marginfi/events/lending-account-liquidate.ts';
export { lendingAccountRepayEvent } from './marginfi/events/lending-account-repay.ts';
export { lendingAccountWithdrawEvent } from './marginfi/events/lending-account-withdraw.ts';
export { lendingPoolBankAccrueInterestEvent } from './marginfi/events/lending-pool-bank-accrue-interest.ts';
export { lendingPoolBankCollectFeesEvent } from './marginfi/events/lending-pool-bank-collect-fees.ts';
export { lendingPoolBankConfigureEvent } from './marginfi/events/lending-pool-bank-configure.ts';
export { lendingPoolBankConfigureFrozenEvent } from './marginfi/events/lending-pool-bank-configure-frozen.ts';
export { lendingPoolBankConfigureOracleEvent } from './marginfi/events/lending-pool-bank-configure-oracle.ts';
export { lendingPoolBankCreateEvent } from './marginfi/events/lending-pool-bank-create.ts';
export { lendingPoolBankHandleBankruptcyEvent } from './marginfi/events/lending-pool-bank-handle-bankruptcy.ts';
export { lendingPoolBankSetFixedOraclePriceEvent } from './marginfi/events/lending-pool-bank-set-fixed-oracle-price.ts';
export { lendingPoolSuperAdminDepositEvent } from './marginfi/events/lending-pool-super-admin-deposit.ts';
export { lendingPoolSuperAdminWithdrawEvent } from './marginfi/events/lending-pool-super-admin-withdraw.ts';
export { liquidationReceiverEvent } from './marginfi/events/liquidation-receiver.ts';
export { marginfiAccountCloseOrderEvent } from './marginfi/events/marginfi-account-close-order.ts';
export { marginfiAccountCreateEvent } from './marginfi/events/marginfi-account-create.ts';
export { marginfiAccountFreezeEvent } from './marginfi/events/marginfi-account-freeze.ts';
export { marginfiAccountPlaceOrderEvent } from './marginfi/events/marginfi-account-place-order.ts';
export { marginfiAccountTransferToNewAccountEvent } from './marginfi/events/marginfi-account-transfer-to-new-account.ts';
export { marginfiGroupConfigureEvent } from './marginfi/events/marginfi-group-configure.ts';
export { marginfiGroupCreateEvent } from './marginfi/events/marginfi-group-create.ts';
export { rateLimitFlowEvent } from './marginfi/events/rate-limit-flow.ts';
export { setKeeperCloseFlagsEvent } from './marginfi/events/set-keeper-close-flags.ts';
export {
  EXECUTE_ORDER_RECORD_DISCRIMINATOR,
  EXECUTE_ORDER_RECORD_SIZE,
  type ExecuteOrderRecord,
  type ExecuteOrderRecordArgs,
  getExecuteOrderRecordCodec,
  getExecuteOrderRecordDecoder,
  getExecuteOrderRecordEncoder,
} from './marginfi/execute-order-record.ts';
export {
  FEE_STATE_DISCRIMINATOR,
  FEE_STATE_SIZE,
  type FeeState,
  type FeeStateArgs,
  getFeeStateCodec,
  getFeeStateDecoder,
  getFeeStateEncoder,
} from './marginfi/fee-state.ts';
export {
  FEE_STATE_V2_DISCRIMINATOR,
  FEE_STATE_V2_SIZE,
  type FeeStateV2,
  type FeeStateV2Args,
  getFeeStateV2Codec,
  getFeeStateV2Decoder,
  getFeeStateV2Encoder,
} from './marginfi/fee-state-v2.ts';
export {
  getMarginfiGroupCodec,
  getMarginfiGroupDecoder,
  getMarginfiGroupEncoder,
  MARGINFI_GROUP_DISCRIMINATOR,
  MARGINFI_GROUP_SIZE,
  type MarginfiGroup,
  type MarginfiGroupArgs,
} from './marginfi/group.ts';
export { marginfiInstructionName } from './marginfi/instruction-names.ts';
export { driftDeposit } from './marginfi/instructions/drift-deposit.ts';
export { driftWithdraw } from './marginfi/instructions/drift-withdraw.ts';
export { endDeleverage } from './marginfi/instructions/end-deleverage.ts';
export { endLiquidation } from './marginfi/instructions/end-liquidation.ts';
export { initGlobalFeeState } from './marginfi/instructions/init-global-fee-state.ts';
export { juplendDeposit } from './marginfi/instructions/juplend-deposit.ts';
export { juplendInitPosition } from './marginfi/instructions/juplend-init-position.ts';
export { juplendWithdraw } from './marginfi/instructions/juplend-withdraw.ts';
export { kaminoDeposit } from './marginfi/instructions/kamino-deposit.ts';
export { kaminoInitObligation } from './marginfi/instructions/kamino-init-obligation.ts';
export { kaminoWithdraw } from './marginfi/instructions/kamino-withdraw.ts';
export { lendingAccountBorrow } from './marginfi/instructions/lending-account-borrow.ts';
export { lendingAccountCloseBalance } from './marginfi/instructions/lending-account-close-balance.ts';
export { lendingAccountDeposit } from './marginfi/instructions/lending-account-deposit.ts';
export { lendingAccountEndFlashloan } from './marginfi/instructions/lending-account-end-flashloan.ts';
export { lendingAccountLiquidate } from './marginfi/instructions/lending-account-liquidate.ts';
export { lendingAccountPulseHealth } from './marginfi/instructions/lending-account-pulse-health.ts';
export { lendingAccountRepay } from './marginfi/instructions/lending-account-repay.ts';
export { lendingAccountStartFlashloan } from './marginfi/instructions/lending-account-start-flashloan.ts';
export { lendingAccountWithdraw } from './marginfi/instructions/lending-account-withdraw.ts';
export { lendingAccountWithdrawEmissions } from './marginfi/instructions/lending-account-withdraw-emissions.ts';
export { lendingAccountWithdrawEmissionsPermissionless } from './marginfi/instructions/lending-account-withdraw-emissions-permissionless.ts';
export { lendingPoolAccrueBankInterest } from './marginfi/instructions/lending-pool-accrue-bank-interest.ts';
export { lendingPoolAddBank } from './marginfi/instructions/lending-pool-add-bank.ts';
export { lendingPoolAddBankWithSeed } from './marginfi/instructions/lending-pool-add-bank-with-seed.ts';
export { lendingPoolConfigureBank } from './marginfi/instructions/lending-pool-configure-bank.ts';
export { lendingPoolConfigureBankOracle } from './marginfi/instructions/lending-pool-configure-bank-oracle.ts';
export { lendingPoolHandleBankruptcy } from './marginfi/instructions/lending-pool-handle-bankruptcy.ts';
export { lendingPoolPulseBankPriceCache } from './marginfi/instructions/lending-pool-pulse-bank-price-cache.ts';
export { lendingPoolSetFixedOraclePrice } from './marginfi/instructions/lending-pool-set-fixed-oracle-price.ts';
export { marginfiAccountClose } from './marginfi/instructions/marginfi-account-close.ts';
export { marginfiAccountEndExecuteOrder } from './marginfi/instructions/marginfi-account-end-execute-order.ts';
export { marginfiAccountInitLiqRecord } from './marginfi/instructions/marginfi-account-init-liq-record.ts';
export { marginfiAccountInitialize } from './marginfi/instructions/marginfi-account-initialize.ts';
export { marginfiAccountInitializePda } from './marginfi/instructions/marginfi-account-initialize-pda.ts';
export { marginfiAccountPlaceOrder } from './marginfi/instructions/marginfi-account-place-order.ts';
export { marginfiAccountStartExecuteOrder } from './marginfi/instructions/marginfi-account-start-execute-order.ts';
export { marginfiAccountUpdateEmissionsDestinationAccount } from './marginfi/instructions/marginfi-account-update-emissions-destination-account.ts';
export { marginfiGroupConfigure } from './marginfi/instructions/marginfi-group-configure.ts';
export { marginfiGroupInitialize } from './marginfi/instructions/marginfi-group-initialize.ts';
export { propagateFeeState } from './marginfi/instructions/propagate-fee-state.ts';
export { solendDeposit } from './marginfi/instructions/solend-deposit.ts';
export { solendInitObligation } from './marginfi/instructions/solend-init-obligation.ts';
export { solendWithdraw } from './marginfi/instructions/solend-withdraw.ts';
export { startDeleverage } from './marginfi/instructions/start-deleverage.ts';
export { startLiquidation } from './marginfi/instructions/start-liquidation.ts';
export { transferToNewAccount } from './marginfi/instructions/transfer-to-new-account.ts';
export { transferToNewAccountPda } from './marginfi/instructions/transfer-to-new-account-pda.ts';
export {
  getLiquidationRecordCodec,
  getLiquidationRecordDecoder,
  getLiquidationRecordEncoder,
  LIQUIDATION_RECORD_DISCRIMINATOR,
  LIQUIDATION_RECORD_SIZE,
  type LiquidationRecord,
  type LiquidationRecordArgs,
} from './marginfi/liquidation-record.ts';
export { MARGINFI_MAIN_LOOKUP_TABLES } from './marginfi/lookup-tables.ts';
export {
  getMarginfiAccountCodec,
  getMarginfiAccountEncoder,
  MARGINFI_ACCOUNT_DISCRIMINATOR,
  MARGINFI_ACCOUNT_SIZE,
  type MarginfiAccount,
  type MarginfiAccountArgs,
} from './marginfi/marginfi-account.ts';
export {
  getOrderCodec,
  getOrderDecoder,
  getOrderEncoder,
  ORDER_DISCRIMINATOR,
  ORDER_SIZE,
  ORDER_TRIGGER_TYPES,
  type Order,
  type OrderArgs,
} from './marginfi/order.ts';
export { getBankDecoder } from './marginfi/read-bank.ts';
export { getMarginfiAccountDecoder } from './marginfi/read-marginfi-account.ts';
export {
  getStakedSettingsCodec,
  getStakedSettingsDecoder,
  getStakedSettingsEncoder,
  STAKED_SETTINGS_DISCRIMINATOR,
  STAKED_SETTINGS_SIZE,
  type StakedSettings,
  type StakedSettingsArgs,
} from './marginfi/staked-settings.ts';
export { MARINADE_PROGRAM, MARINADE_STATE, MSOL_MINT } from './marinade/addresses.ts';
export {
  getMarinadeStateCodec,
  getMarinadeStateDecoder,
  getMarinadeStateEncoder,
  MARINADE_STATE_DISCRIMINATOR,
  MARINADE_STATE_FIELDS_SIZE,
  type MarinadeState,
  type MarinadeStateArgs,
} from './marinade/state.ts';
export { NO_KEY } from './no-key.ts';
export { PYTH_PUSH_ORACLE_PROGRAM, PYTH_RECEIVER_PROGRAM } from './pyth/addresses.ts';
export {
  getPriceUpdateV2Codec,
  getPriceUpdateV2Decoder,
  getPriceUpdateV2Encoder,
  PRICE_UPDATE_V2_DISCRIMINATOR,
  PRICE_UPDATE_V2_SIZE,
  type PriceUpdateV2,
  type PriceUpdateV2Args,
} from './pyth/price-update-v2.ts';
export {
  decodeSecp256k1Offsets,
  encodeSecp256k1Instruction,
  SECP256K1_PROGRAM,
  type Secp256k1Offsets,
  type Secp256k1Signature,
} from './secp256k1/signature-instruction.ts';
export {
  findSolendMarketAuthority,
  SOLEND_MAIN_MARKET,
  SOLEND_NULL_ORACLE,
  SOLEND_PROGRAM,
} from './solend/addresses.ts';
export { borrowSolendLiquidity } from './solend/instructions/borrow-liquidity.ts';
export { depositSolendLiquidity } from './solend/instructions/deposit-liquidity.ts';
export { depositSolendLiquidityAndCollateral } from './solend/instructions/deposit-liquidity-and-collateral.ts';
export { initSolendObligation } from './solend/instructions/init-obligation.ts';
export { redeemSolendCollateral } from './solend/instructions/redeem-collateral.ts';
export { refreshSolendObligation } from './solend/instructions/refresh-obligation.ts';
export { refreshSolendReserve } from './solend/instructions/refresh-reserve.ts';
export { repaySolendLiquidity } from './solend/instructions/repay-liquidity.ts';
export { withdrawSolendCollateralAndRedeem } from './solend/instructions/withdraw-collateral-and-redeem.ts';
export {
  getSolendLendingMarketCodec,
  getSolendLendingMarketDecoder,
  getSolendLendingMarketEncoder,
  SOLEND_LENDING_MARKET_SIZE,
  type SolendLendingMarket,
  type SolendLendingMarketArgs,
} from './solend/lending-market.ts';
export {
  getSolendObligationCodec,
  getSolendObligationDecoder,
  getSolendObligationEncoder,
  SOLEND_OBLIGATION_SIZE,
  type SolendObligation,
  type SolendObligationArgs,
} from './solend/obligation.ts';
export {
  getSolendReserveCodec,
  getSolendReserveDecoder,
  getSolendReserveEncoder,
  SOLEND_RESERVE_SIZE,
  type SolendReserve,
  type SolendReserveArgs,
} from './solend/reserve.ts';
export { SINGLE_POOL_PROGRAM, STAKE_PROGRAM } from './stake/addresses.ts';
export {
  DELEGATED_STAKE_TAG,
  getStakeAccountCodec,
  getStakeAccountDecoder,
  getStakeAccountEncoder,
  STAKE_ACCOUNT_SIZE,
  type StakeAccount,
  type StakeAccountArgs,
} from './stake/stake-account.ts';
export {
  SANCTUM_MULTI_STAKE_POOL_PROGRAM,
  SANCTUM_STAKE_POOL_PROGRAM,
  STAKE_POOL_PROGRAM,
} from './stake-pool/addresses.ts';
export {
  getStakePoolCodec,
  getStakePoolDecoder,
  getStakePoolEncoder,
  STAKE_POOL_DISCRIMINATOR,
  STAKE_POOL_MINT_OFFSET,
  STAKE_POOL_SIZE,
  type StakePool,
  type StakePoolArgs,
} from './stake-pool/stake-pool.ts';
export { DFLOW_PROGRAM, JUPITER_PROGRAM, TITAN_PROGRAM } from './swap/addresses.ts';
export { readDflowTerms } from './swap/dflow-terms.ts';
export { readJupiterTerms } from './swap/jupiter-terms.ts';
export type { SwapLimits, SwapTerms } from './swap/swap-terms.ts';
export {
  findOracleStats,
  findQueueRewardVault,
  findSwitchboardState,
  SWITCHBOARD_MAINNET_QUEUE,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
} from './switchboard/addresses.ts';
export { SWITCHBOARD_ERRORS, type SwitchboardErrorName } from './switchboard/errors.ts';
export { switchboardSubmitResponses } from './switchboard/instructions/submit-responses.ts';
export {
  getSwitchboardOracleCodec,
  getSwitchboardOracleDecoder,
  getSwitchboardOracleEncoder,
  SWITCHBOARD_ORACLE_DISCRIMINATOR,
  SWITCHBOARD_ORACLE_SIZE,
  SWITCHBOARD_VERIFIED,
  type SwitchboardOracle,
  type SwitchboardOracleArgs,
} from './switchboard/oracle.ts';
export {
  getOracleStatsCodec,
  getOracleStatsDecoder,
  getOracleStatsEncoder,
  ORACLE_STATS_DISCRIMINATOR,
  ORACLE_STATS_SIZE,
  type OracleStats,
  type OracleStatsArgs,
} from './switchboard/oracle-stats.ts';
export {
  getPullFeedCodec,
  getPullFeedDecoder,
  getPullFeedEncoder,
  PULL_FEED_DISCRIMINATOR,
  PULL_FEED_SIZE,
  type PullFeed,
  type PullFeedArgs,
} from './switchboard/pull-feed.ts';
export {
  getSwitchboardQueueCodec,
  getSwitchboardQueueDecoder,
  getSwitchboardQueueEncoder,
  SWITCHBOARD_QUEUE_DISCRIMINATOR,
  SWITCHBOARD_QUEUE_SIZE,
  type SwitchboardQueue,
  type SwitchboardQueueArgs,
} from './switchboard/queue.ts';
export {
  getSwitchboardStateCodec,
  getSwitchboardStateDecoder,
  getSwitchboardStateEncoder,
  SWITCHBOARD_STATE_DISCRIMINATOR,
  SWITCHBOARD_STATE_SIZE,
  type SwitchboardState,
  type SwitchboardStateArgs,
} from './switchboard/state.ts';
export { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from './system/addresses.ts';
export {
  CLOCK_SYSVAR,
  INSTRUCTIONS_SYSVAR,
  RENT_SYSVAR,
  SLOT_HASHES_SYSVAR,
  SYSVAR_PROGRAM,
} from './sysvar/addresses.ts';
export {
  CLOCK_SIZE,
  type Clock,
  type ClockArgs,
  getClockCodec,
  getClockDecoder,
  getClockEncoder,
} from './sysvar/clock.ts';
export {
  getTokenAccountCodec,
  getTokenAccountDecoder,
  getTokenAccountEncoder,
  TOKEN_ACCOUNT_SIZE,
  TOKEN_ACCOUNT_STATE,
  type TokenAccount,
  type TokenAccountArgs,
} from './token/account.ts';
export {
  ASSOCIATED_TOKEN_PROGRAM,
  findAssociatedTokenAccount,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from './token/addresses.ts';
export type { Coption } from './token/coption.ts';
export {
  getMintCodec,
  getMintDecoder,
  getMintEncoder,
  MINT_SIZE,
  type Mint,
  type MintArgs,
} from './token/mint.ts';
export {
  findMintExtension,
  getTransferFeeConfigDecoder,
  getTransferFeeConfigEncoder,
  MINT_EXTENSION,
  type TransferFeeConfig,
  type TransferFeeConfigArgs,
} from './token/mint-extensions.ts';
export {
  getTokenMetadataDecoder,
  getTokenMetadataEncoder,
  type TokenMetadata,
  type TokenMetadataArgs,
} from './token/token-metadata.ts';
