import { combineCodec } from '@solana/kit';
import { bool, option, u8, u64 } from '#layout/field-types.ts';
import { instruction } from '#layout/instruction.ts';
import { getTrailingDecoder } from '#layout/trailing.ts';

/** Adds tokens to a balance in a Drift bank. `amount` is underlying, in base units. The oracle may be left out only for a market of the quote asset. */
export const driftDeposit = instruction(
  'drift_deposit',
  `
    group, marginfiAccount w, authority s, bank w, driftOracle ?, liquidityVaultAuthority, liquidityVault w,
    signerTokenAccount w, driftState, integrationAcc2 w, integrationAcc3 w, integrationAcc1 w,
    driftSpotMarketVault w, mint, driftProgram, tokenProgram, systemProgram
  `,
  { amount: u64 },
);

/**
 * Takes tokens out of a balance in a Drift bank. `amount` is underlying, in base units. Rewards that the venue deposited beside
 * the market need their accounts too. Remaining accounts: the health accounts.
 */
export const driftWithdraw = instruction(
  'drift_withdraw',
  `
    group, marginfiAccount w, authority s, bank w, driftOracle ?, liquidityVaultAuthority, liquidityVault w,
    destinationTokenAccount w, driftState, integrationAcc2 w, integrationAcc3 w, integrationAcc1 w,
    driftSpotMarketVault w, driftRewardOracle ?, driftRewardSpotMarket ?, driftRewardMint ?, driftRewardOracle2 ?,
    driftRewardSpotMarket2 ?, driftRewardMint2 ?, driftSigner, mint, driftProgram, tokenProgram, systemProgram
  `,
  { amount: u64, withdrawAll: option(bool) },
);

/** Adds tokens to a balance in a JupLend bank. `amount` is underlying, in base units. */
export const juplendDeposit = instruction(
  'juplend_deposit',
  `
    group w, marginfiAccount w, authority s, bank w, signerTokenAccount w, liquidityVaultAuthority w,
    liquidityVault w, mint, integrationAcc1 w, fTokenMint w, integrationAcc2 w, lendingAdmin,
    supplyTokenReservesLiquidity w, lendingSupplyPositionOnLiquidity w, rateModel, vault w, liquidity w,
    liquidityProgram, rewardsRateModel, juplendProgram, tokenProgram, associatedTokenProgram, systemProgram
  `,
  { amount: u64 },
);

/** Makes a first deposit for a JupLend bank, `amount` of underlying in base units and nobody's afterwards, and opens the bank. */
export const juplendInitPosition = instruction(
  'juplend_init_position',
  `
    feePayer ws, signerTokenAccount w, bank w, liquidityVaultAuthority w, liquidityVault w, mint,
    integrationAcc1 w, fTokenMint w, integrationAcc2 w, lendingAdmin, supplyTokenReservesLiquidity w,
    lendingSupplyPositionOnLiquidity w, rateModel, vault w, liquidity w, liquidityProgram, rewardsRateModel,
    juplendProgram, tokenProgram, associatedTokenProgram, systemProgram
  `,
  { amount: u64 },
);

/** Takes tokens out of a balance in a JupLend bank. `amount` is underlying, in base units. Remaining accounts: the health accounts. */
export const juplendWithdraw = instruction(
  'juplend_withdraw',
  `
    group, marginfiAccount w, authority s, bank w, destinationTokenAccount w, liquidityVaultAuthority w, mint,
    integrationAcc1 w, fTokenMint w, integrationAcc2 w, integrationAcc3 w, lendingAdmin,
    supplyTokenReservesLiquidity w, lendingSupplyPositionOnLiquidity w, rateModel, vault w, claimAccount w,
    liquidity w, liquidityProgram, rewardsRateModel, juplendProgram, tokenProgram, associatedTokenProgram,
    systemProgram
  `,
  { amount: u64, withdrawAll: option(bool) },
);

/** Always written, and read where it is there. */
const refreshReserve = combineCodec(option(bool), getTrailingDecoder(option(bool)));

/**
 * Adds tokens to a balance in a Kamino bank. `amount` is underlying, in base units. `refreshReserve` exists from 0.1.9, which
 * does not read the instruction without it; an older program leaves the bytes alone. So it is always written, and null only where
 * a decoded instruction of 0.1.8 ends before it.
 */
export const kaminoDeposit = instruction(
  'kamino_deposit',
  `
    group, marginfiAccount w, authority s, bank w, signerTokenAccount w, liquidityVaultAuthority w,
    liquidityVault w, integrationAcc2 w, lendingMarket, lendingMarketAuthority, integrationAcc1 w, mint,
    reserveLiquiditySupply w, reserveCollateralMint w, reserveDestinationDepositCollateral w,
    obligationFarmUserState w?, reserveFarmState w?, kaminoProgram, farmsProgram, collateralTokenProgram,
    liquidityTokenProgram, instructionSysvarAccount
  `,
  { amount: u64, refreshReserve },
);

/**
 * Opens a Kamino bank's obligation, which `amount` of underlying, in base units and nobody's afterwards, keeps open. The accounts are
 * those of 0.1.9: before it, four oracles stand behind `reserveDestinationDepositCollateral`.
 */
export const kaminoInitObligation = instruction(
  'kamino_init_obligation',
  `
    feePayer ws, bank, signerTokenAccount w, liquidityVaultAuthority w, liquidityVault w, integrationAcc2 w,
    userMetadata w, lendingMarket, lendingMarketAuthority, integrationAcc1 w, mint w, reserveLiquiditySupply w,
    reserveCollateralMint w, reserveDestinationDepositCollateral w, obligationFarmUserState w?,
    reserveFarmState w?, kaminoProgram, farmsProgram, collateralTokenProgram, liquidityTokenProgram,
    instructionSysvarAccount, rent, systemProgram
  `,
  { amount: u64 },
);

/**
 * Takes tokens out of a balance in a Kamino bank. `amount` is collateral tokens (cTokens) in base units. Remaining accounts: the
 * health accounts. `flags`: bit 0 withdraws all, bit 1 refreshes the reserve. Up to 0.1.8 the byte is the boolean `withdraw_all`:
 * null, 0 and 1 mean the same in every version, 2 and 3 need 0.1.9.
 */
export const kaminoWithdraw = instruction(
  'kamino_withdraw',
  `
    group, marginfiAccount w, authority s, bank w, destinationTokenAccount w, liquidityVaultAuthority w,
    liquidityVault w, integrationAcc2 w, lendingMarket, lendingMarketAuthority, integrationAcc1 w, mint w,
    reserveLiquiditySupply w, reserveCollateralMint w, reserveSourceCollateral w, obligationFarmUserState w?,
    reserveFarmState w?, kaminoProgram, farmsProgram, collateralTokenProgram, liquidityTokenProgram,
    instructionSysvarAccount
  `,
  { amount: u64, flags: option(u8) },
);

/** Adds tokens to a balance in a Solend bank. `amount` is underlying, in base units. */
export const solendDeposit = instruction(
  'solend_deposit',
  `
    group, marginfiAccount w, authority s, bank w, signerTokenAccount w, liquidityVaultAuthority, liquidityVault w,
    integrationAcc2 w, lendingMarket, lendingMarketAuthority, integrationAcc1 w, mint, reserveLiquiditySupply w,
    reserveCollateralMint w, reserveCollateralSupply w, userCollateral w, pythPrice, switchboardFeed,
    solendProgram, tokenProgram
  `,
  { amount: u64 },
);

/** Opens a Solend bank's obligation, which `amount` of underlying, in base units and nobody's afterwards, keeps open. */
export const solendInitObligation = instruction(
  'solend_init_obligation',
  `
    feePayer ws, bank, signerTokenAccount w, liquidityVaultAuthority, liquidityVault w, integrationAcc2 w,
    lendingMarket, lendingMarketAuthority, integrationAcc1 w, mint w, reserveLiquiditySupply w,
    reserveCollateralMint w, reserveCollateralSupply w, userCollateral w, pythPrice, switchboardFeed,
    solendProgram, tokenProgram, rent, systemProgram
  `,
  { amount: u64 },
);

/**
 * Takes tokens out of a balance in a Solend bank. `amount` is collateral tokens (cTokens) in base units. The reserve must have
 * been refreshed in the same slot. Remaining accounts: the health accounts.
 */
export const solendWithdraw = instruction(
  'solend_withdraw',
  `
    group, marginfiAccount w, authority s, bank w, destinationTokenAccount w, liquidityVaultAuthority w,
    liquidityVault w, integrationAcc2 w, lendingMarket w, lendingMarketAuthority, integrationAcc1 w, mint,
    reserveLiquiditySupply w, reserveCollateralMint w, reserveCollateralSupply w, userCollateral w, solendProgram,
    tokenProgram
  `,
  { amount: u64, withdrawAll: option(bool) },
);
