import { u64 } from '#layout/field-types.ts';
import { instruction } from '#layout/instruction.ts';

/**
 * Borrows against an obligation; it and the reserve are refreshed in this slot. `liquidityAmount` is in base units, 2^64 - 1 is as much as
 * possible. After these come the reserves of the obligation's deposits, writable, then the host's fee account if there is one.
 */
export const borrowSolendLiquidity = instruction(
  'borrow_obligation_liquidity',
  `
    sourceLiquidity w, destinationLiquidity w, borrowReserve w, feeReceiver w, obligation w, lendingMarket w,
    lendingMarketAuthority, obligationOwner s, tokenProgram
  `,
  { liquidityAmount: u64 },
  Uint8Array.of(10),
);

/**
 * Exchanges tokens for receipts and puts those under an obligation. `liquidityAmount` is underlying, in base units. Accrues the reserve's
 * interest itself and reads neither oracle.
 */
export const depositSolendLiquidityAndCollateral = instruction(
  'deposit_reserve_liquidity_and_obligation_collateral',
  `
    sourceLiquidity w, userCollateral w, reserve w, reserveLiquiditySupply w, reserveCollateralMint w,
    lendingMarket, lendingMarketAuthority, destinationCollateral w, obligation w, obligationOwner s, pythOracle,
    switchboardOracle, userTransferAuthority s, tokenProgram
  `,
  { liquidityAmount: u64 },
  Uint8Array.of(14),
);

/**
 * Exchanges tokens for a reserve's receipts (cTokens). `liquidityAmount` is underlying, in base units. Accrues the reserve's interest itself.
 */
export const depositSolendLiquidity = instruction(
  'deposit_reserve_liquidity',
  `
    sourceLiquidity w, destinationCollateral w, reserve w, reserveLiquiditySupply w, reserveCollateralMint w,
    lendingMarket, lendingMarketAuthority, userTransferAuthority s, tokenProgram
  `,
  { liquidityAmount: u64 },
  Uint8Array.of(4),
);

/** Sets up an obligation in an account of the program that holds zeros yet. */
export const initSolendObligation = instruction(
  'init_obligation',
  'obligation w, lendingMarket, obligationOwner s, rent, tokenProgram',
  {},
  Uint8Array.of(6),
);

/** Exchanges receipts for tokens, from a reserve refreshed in this slot. `collateralAmount` is cTokens, in base units. */
export const redeemSolendCollateral = instruction(
  'redeem_reserve_collateral',
  `
    sourceCollateral w, destinationLiquidity w, reserve w, reserveCollateralMint w, reserveLiquiditySupply w,
    lendingMarket w, lendingMarketAuthority, userTransferAuthority s, tokenProgram
  `,
  { collateralAmount: u64 },
  Uint8Array.of(5),
);

/**
 * Values an obligation at this slot; anyone may send it. After the obligation come the reserves of its deposits, writable, then those of
 * its borrows, each refreshed in this slot.
 */
export const refreshSolendObligation = instruction('refresh_obligation', 'obligation w', {}, Uint8Array.of(7));

/**
 * Brings a reserve's interest and prices to this slot; anyone may send it. A reserve with an extra oracle needs that account after these.
 */
export const refreshSolendReserve = instruction(
  'refresh_reserve',
  'reserve w, pythOracle, switchboardOracle',
  {},
  Uint8Array.of(3),
);

/** Pays back a debt; anyone may. `liquidityAmount` is in base units, 2^64 - 1 is all of it. Accrues the reserve's interest itself. */
export const repaySolendLiquidity = instruction(
  'repay_obligation_liquidity',
  `
    sourceLiquidity w, destinationLiquidity w, repayReserve w, obligation w, lendingMarket,
    userTransferAuthority s, tokenProgram
  `,
  { liquidityAmount: u64 },
  Uint8Array.of(11),
);

/**
 * Takes receipts out of an obligation and redeems them; the obligation and the reserve are refreshed in this slot. `collateralAmount` is
 * cTokens, in base units, cut to what may leave. After these come the reserves of all the obligation's deposits, writable, in its order.
 */
export const withdrawSolendCollateralAndRedeem = instruction(
  'withdraw_obligation_collateral_and_redeem_reserve_collateral',
  `
    reserveCollateral w, userCollateral w, reserve w, obligation w, lendingMarket w, lendingMarketAuthority,
    userLiquidity w, reserveCollateralMint w, reserveLiquiditySupply w, obligationOwner s, userTransferAuthority s,
    tokenProgram
  `,
  { collateralAmount: u64 },
  Uint8Array.of(15),
);
