import { bool, pubkey, u8, u64 } from '#layout/field-types.ts';
import { instruction } from '#layout/instruction.ts';
import { struct } from '#layout/struct.ts';

/**
 * Turns tokens into cTokens and adds them to an obligation; the amount is of the token. It wants the reserve's and the obligation's
 * refresh, and that of the farm where there is one, at exact places around it.
 */
export const klendDepositReserveLiquidityAndObligationCollateral = instruction(
  'deposit_reserve_liquidity_and_obligation_collateral',
  `
    owner ws, obligation w, lendingMarket, lendingMarketAuthority, reserve w, reserveLiquidityMint,
    reserveLiquiditySupply w, reserveCollateralMint w, reserveDestinationDepositCollateral w,
    userSourceLiquidity w, placeholderUserDestinationCollateral ?, collateralTokenProgram, liquidityTokenProgram,
    instructionSysvarAccount
  `,
  { liquidityAmount: u64 },
);

/**
 * The same as without `_v2`, but the farm is told by the program itself, and the refreshes may stand anywhere before it.
 */
export const klendDepositReserveLiquidityAndObligationCollateralV2 = instruction(
  'deposit_reserve_liquidity_and_obligation_collateral_v2',
  `${klendDepositReserveLiquidityAndObligationCollateral.list}, obligationFarmUserState w?, reserveFarmState w?, farmsProgram`,
  { liquidityAmount: u64 },
);

/**
 * Turns tokens into cTokens of the owner's own. The amount is of the token.
 */
export const klendDepositReserveLiquidity = instruction(
  'deposit_reserve_liquidity',
  `
    owner s, reserve w, lendingMarket, lendingMarketAuthority, reserveLiquidityMint, reserveLiquiditySupply w,
    reserveCollateralMint w, userSourceLiquidity w, userDestinationCollateral w, collateralTokenProgram,
    liquidityTokenProgram, instructionSysvarAccount
  `,
  { liquidityAmount: u64 },
);

/** Makes the account with which a farm counts an obligation's deposits (`mode` 0) or debts (1) in a reserve. */
export const klendInitObligationFarmsForReserve = instruction(
  'init_obligation_farms_for_reserve',
  `
    payer ws, owner, obligation w, lendingMarketAuthority, reserve w, reserveFarmState w, obligationFarm w,
    lendingMarket, farmsProgram, rent, systemProgram
  `,
  { mode: u8 },
);

/**
 * Makes an owner's obligation in a market. An ordinary one has tag 0, id 0 to 255 and the system program's address as both seeds.
 */
export const klendInitObligation = instruction(
  'init_obligation',
  `
    obligationOwner s, feePayer ws, obligation w, lendingMarket, seed1Account, seed2Account, ownerUserMetadata,
    rent, systemProgram
  `,
  { args: struct({ tag: u8, id: u8 }) },
);

/**
 * Makes the account that klend keeps for every owner, once.
 */
export const klendInitUserMetadata = instruction(
  'init_user_metadata',
  'owner s, feePayer ws, userMetadata w, referrerUserMetadata ?, rent, systemProgram',
  { userLookupTable: pubkey },
);

/**
 * Turns cTokens of the owner's own into tokens. The amount is of cTokens.
 */
export const klendRedeemReserveCollateral = instruction(
  'redeem_reserve_collateral',
  `
    owner s, lendingMarket, reserve w, lendingMarketAuthority, reserveLiquidityMint, reserveCollateralMint w,
    reserveLiquiditySupply w, userSourceCollateral w, userDestinationLiquidity w, collateralTokenProgram,
    liquidityTokenProgram, instructionSysvarAccount
  `,
  { collateralAmount: u64 },
);

/**
 * Values an obligation anew. The remaining accounts are the reserves of its deposits and then of its borrows, in the obligation's own
 * order, each refreshed in this slot.
 */
export const klendRefreshObligation = instruction('refresh_obligation', 'lendingMarket, obligation w', {});

/**
 * Accrues a reserve to the slot and takes its price anew where that is due. Anyone may send it. A feed that the reserve does not name
 * is left out.
 */
export const klendRefreshReserve = instruction(
  'refresh_reserve',
  `
    reserve w, lendingMarket, pythOracle ?, switchboardPriceOracle ?, switchboardTwapOracle ?, scopePrices ?
  `,
  {},
);

/**
 * Refreshes several reserves: the remaining accounts are, for each, the reserve (writable) and its market, and unless prices are
 * skipped the four price accounts of `refresh_reserve`, where the program's own address stands for none.
 */
export const klendRefreshReservesBatch = instruction('refresh_reserves_batch', '', { skipPriceUpdates: bool });

/**
 * Takes cTokens out of an obligation and turns them into tokens; the amount is of cTokens, and more than there are means all. It wants
 * the refreshes at exact places around it.
 */
export const klendWithdrawObligationCollateralAndRedeemReserveCollateral = instruction(
  'withdraw_obligation_collateral_and_redeem_reserve_collateral',
  `
    owner ws, obligation w, lendingMarket, lendingMarketAuthority, withdrawReserve w, reserveLiquidityMint,
    reserveSourceCollateral w, reserveCollateralMint w, reserveLiquiditySupply w, userDestinationLiquidity w,
    placeholderUserDestinationCollateral ?, collateralTokenProgram, liquidityTokenProgram,
    instructionSysvarAccount
  `,
  { collateralAmount: u64 },
);

/**
 * The same as without `_v2`, but the farm is told by the program itself, and the refreshes may stand anywhere before it.
 */
export const klendWithdrawObligationCollateralAndRedeemReserveCollateralV2 = instruction(
  'withdraw_obligation_collateral_and_redeem_reserve_collateral_v2',
  `${klendWithdrawObligationCollateralAndRedeemReserveCollateral.list}, obligationFarmUserState w?, reserveFarmState w?, farmsProgram`,
  { collateralAmount: u64 },
);
