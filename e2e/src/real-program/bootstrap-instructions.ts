import { array, i128, instruction, pubkey, u8, u16, u32, u64 } from '@lending/programs';

/**
 * The admin instructions of marginfi 0.1.0 to 0.1.2 that set a market up. Later versions take other arguments; those are in
 * `packages/programs`. Names, order and flags are those of the IDL of 0.1.0.
 */
export const initGlobalFeeState = instruction('init_global_fee_state', 'payer ws, feeState w, rent, systemProgram', {
  admin: pubkey,
  feeWallet: pubkey,
  bankInitFlatSolFee: u32,
  programFeeFixed: i128,
  programFeeRate: i128,
});

export const lendingPoolAddBank = instruction(
  'lending_pool_add_bank',
  `
    marginfiGroup, admin ws, feePayer ws, feeState, globalFeeWallet w, bankMint, bank ws, liquidityVaultAuthority,
    liquidityVault w, insuranceVaultAuthority, insuranceVault w, feeVaultAuthority, feeVault w, rent, tokenProgram,
    systemProgram
  `,
  {
    assetWeightInit: i128,
    assetWeightMaint: i128,
    liabilityWeightInit: i128,
    liabilityWeightMaint: i128,
    depositLimit: u64,
    optimalUtilizationRate: i128,
    plateauInterestRate: i128,
    maxInterestRate: i128,
    insuranceFeeFixedApr: i128,
    insuranceIrFee: i128,
    protocolFixedFeeApr: i128,
    protocolIrFee: i128,
    protocolOriginationFee: i128,
    operationalState: u8,
    borrowLimit: u64,
    riskTier: u8,
    assetTag: u8,
    padding: array(u8, 6),
    totalAssetValueInitLimit: u64,
    oracleMaxAge: u16,
  },
);
