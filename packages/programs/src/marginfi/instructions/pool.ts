import { array, bool, bytes, i80f48, option, pubkey, u8, u16, u32, u64 } from '#layout/field-types.ts';
import { instruction } from '#layout/instruction.ts';
import { struct } from '#layout/struct.ts';
import { ratePoint } from '../bank.ts';

const interestRateConfigCompact = struct({
  insuranceFeeFixedApr: i80f48,
  insuranceIrFee: i80f48,
  protocolFixedFeeApr: i80f48,
  protocolIrFee: i80f48,
  protocolOriginationFee: i80f48,
  zeroUtilRate: u32,
  hundredUtilRate: u32,
  points: array(ratePoint, 5),
});

/** A new bank's parameters. The curve is always one of points; oracle and emode are set afterwards. */
const bankConfigCompact = struct({
  assetWeightInit: i80f48,
  assetWeightMaint: i80f48,
  liabilityWeightInit: i80f48,
  liabilityWeightMaint: i80f48,
  depositLimit: u64,
  interestRateConfig: interestRateConfigCompact,
  operationalState: u8,
  borrowLimit: u64,
  riskTier: u8,
  assetTag: u8,
  configFlags: u8,
  _pad0: bytes(5),
  totalAssetValueInitLimit: u64,
  oracleMaxAge: u16,
  oracleMaxConfidence: u32,
});

const interestRateConfigOpt = struct({
  insuranceFeeFixedApr: option(i80f48),
  insuranceIrFee: option(i80f48),
  protocolFixedFeeApr: option(i80f48),
  protocolIrFee: option(i80f48),
  protocolOriginationFee: option(i80f48),
  zeroUtilRate: option(u32),
  hundredUtilRate: option(u32),
  points: option(array(ratePoint, 5)),
});

/** A change of a bank's parameters: null leaves one as it is. */
export const bankConfigOpt = struct({
  assetWeightInit: option(i80f48),
  assetWeightMaint: option(i80f48),
  liabilityWeightInit: option(i80f48),
  liabilityWeightMaint: option(i80f48),
  depositLimit: option(u64),
  borrowLimit: option(u64),
  operationalState: option(u8),
  interestRateConfig: option(interestRateConfigOpt),
  riskTier: option(u8),
  assetTag: option(u8),
  totalAssetValueInitLimit: option(u64),
  oracleMaxConfidence: option(u32),
  oracleMaxAge: option(u16),
  permissionlessBadDebtSettlement: option(bool),
  freezeSettings: option(bool),
  tokenlessRepaymentsAllowed: option(bool),
});

/** Ends a forced deleverage and checks that health did not get worse. Last instruction. Remaining accounts: the health accounts of the balances that are left. */
export const endDeleverage = instruction(
  'end_deleverage',
  'marginfiAccount w, liquidationRecord w, group, riskAdmin s',
  {},
);

/** Creates the program's one fee state. Needed before the first group. */
export const initGlobalFeeState = instruction('init_global_fee_state', 'payer ws, feeState w, systemProgram', {
  admin: pubkey,
  feeWallet: pubkey,
  bankInitFlatSolFee: u32,
  liquidationFlatSolFee: u32,
  orderInitFlatSolFee: u32,
  programFeeFixed: i80f48,
  programFeeRate: i80f48,
  liquidationMaxFee: i80f48,
  orderExecutionMaxFee: i80f48,
});

/** Brings a bank's share values up to the clock. Anyone may. */
export const lendingPoolAccrueBankInterest = instruction('lending_pool_accrue_bank_interest', 'group, bank w', {});

/** Creates a bank at the address derived from group, mint and `bankSeed`. Versions up to 0.1.3 had other arguments; those are not read. */
export const lendingPoolAddBankWithSeed = instruction(
  'lending_pool_add_bank_with_seed',
  `
    marginfiGroup w, admin s, feePayer ws, feeState, globalFeeWallet w, bankMint, bank w, liquidityVaultAuthority,
    liquidityVault w, insuranceVaultAuthority, insuranceVault w, feeVaultAuthority, feeVault w, tokenProgram,
    systemProgram
  `,
  { bankConfig: bankConfigCompact, bankSeed: u64 },
);

/** Creates a bank at a fresh keypair, with its vaults. Its oracle is set by an instruction of its own. */
export const lendingPoolAddBank = instruction(
  'lending_pool_add_bank',
  `
    marginfiGroup w, admin s, feePayer ws, feeState, globalFeeWallet w, bankMint, bank ws, liquidityVaultAuthority,
    liquidityVault w, insuranceVaultAuthority, insuranceVault w, feeVaultAuthority, feeVault w, tokenProgram,
    systemProgram
  `,
  { bankConfig: bankConfigCompact },
);

/** Ends what a bank's circuit breaker halted or broke. From 0.1.10. */
export const lendingPoolClearCircuitBreaker = instruction(
  'lending_pool_clear_circuit_breaker',
  'group, authority s, bank w',
  { reseedReference: bool },
);

/** Sets a bank's oracle setup and its first key. Remaining accounts: the oracle accounts, which are checked. */
export const lendingPoolConfigureBankOracle = instruction(
  'lending_pool_configure_bank_oracle',
  'group, admin s, bank w',
  { setup: u8, oracle: pubkey },
);

/** Changes what is given of a bank's parameters. */
export const lendingPoolConfigureBank = instruction('lending_pool_configure_bank', 'group, admin s, bank w', {
  bankConfigOpt,
});

/**
 * Writes off one debt of a bankrupt account: insurance first, the lenders of the bank for the rest. Remaining accounts: the mint
 * if it is of Token-2022, then the health accounts.
 */
export const lendingPoolHandleBankruptcy = instruction(
  'lending_pool_handle_bankruptcy',
  `
    group, signer s, bank w, marginfiAccount w, liquidityVault w, insuranceVault w, insuranceVaultAuthority,
    tokenProgram, instructionsSysvar since 0.1.12
  `,
  {},
);

/** Writes a bank's price into its cache. Anyone may. Remaining accounts: the bank's oracle accounts, without the bank. */
export const lendingPoolPulseBankPriceCache = instruction('lending_pool_pulse_bank_price_cache', 'group, bank w', {});

/** Gives a bank a fixed price in USD for one UI token (I80F48) instead of an oracle. */
export const lendingPoolSetFixedOraclePrice = instruction(
  'lending_pool_set_fixed_oracle_price',
  'group, admin s, bank w',
  { price: i80f48 },
);

/** Sets a group's admins and the leverage that emode may allow. Null leaves a value as it is. */
export const marginfiGroupConfigure = instruction('marginfi_group_configure', 'marginfiGroup w, admin s', {
  newAdmin: option(pubkey),
  newEmodeAdmin: option(pubkey),
  newCurveAdmin: option(pubkey),
  newLimitAdmin: option(pubkey),
  newFlowAdmin: option(pubkey),
  newEmissionsAdmin: option(pubkey),
  newMetadataAdmin: option(pubkey),
  newRiskAdmin: option(pubkey),
  emodeMaxInitLeverage: option(i80f48),
  emodeMaxMaintLeverage: option(i80f48),
});

/** Creates a group at a fresh keypair; the signer becomes its admin. */
export const marginfiGroupInitialize = instruction(
  'marginfi_group_initialize',
  'marginfiGroup ws, admin ws, feeState, systemProgram',
  {},
);

/** Copies the program's fees and its pause into a group's cache. Anyone may. */
export const propagateFeeState = instruction('propagate_fee_state', 'feeState, marginfiGroup w', {});

/** Gives the fee state the length of 0.1.10. Anyone may, and pays the rent. From 0.1.10, as the next. */
export const resizeGlobalFeeState = instruction('resize_global_fee_state', 'feeState w, payer ws, systemProgram', {});

/** Gives a group the length of 0.1.10. */
export const lendingPoolResizeGroupAccount = instruction(
  'lending_pool_resize_group_account',
  'group w, payer ws, systemProgram',
  {},
);

/** Gives a bank the length of 0.1.12. From 0.1.12. */
export const lendingPoolResizeBankAccount = instruction(
  'lending_pool_resize_bank_account',
  'bank w, payer ws, systemProgram',
  {},
);

/** Hands an account to the group's risk admin for the rest of the transaction, healthy or not. Remaining accounts: the health accounts of all balances. */
export const startDeleverage = instruction(
  'start_deleverage',
  'marginfiAccount w, liquidationRecord w, group, riskAdmin s, instructionSysvar',
  {},
);
