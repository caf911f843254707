import { i128, pubkey, u8, u64 } from '#layout/field-types.ts';
import { instruction } from '#layout/instruction.ts';

/** Turns tokens into fTokens. `assets` is underlying, in base units; 2^64 − 1 stands for all the depositor has. */
export const juplendEarnDeposit = instruction(
  'deposit',
  `
    signer ws, depositorTokenAccount w, recipientTokenAccount w, mint, lendingAdmin, lending w, fTokenMint w,
    supplyTokenReservesLiquidity w, lendingSupplyPositionOnLiquidity w, rateModel, vault w, liquidity w,
    liquidityProgram, rewardsRateModel, tokenProgram, associatedTokenProgram ?, systemProgram
  `,
  { assets: u64 },
);

/** Turns as many tokens into fTokens as `shares` fTokens cost, rounded up; 2^64 − 1 stands for all the depositor has. */
export const juplendEarnMint = instruction(
  'mint',
  `
    signer ws, depositorTokenAccount w, recipientTokenAccount w, mint, lendingAdmin, lending w, fTokenMint w,
    supplyTokenReservesLiquidity w, lendingSupplyPositionOnLiquidity w, rateModel, vault w, liquidity w,
    liquidityProgram, rewardsRateModel, tokenProgram, associatedTokenProgram ?, systemProgram
  `,
  { shares: u64 },
);

/** Turns `shares` fTokens into what they are worth, rounded down; 2^64 − 1 stands for all the owner has. */
export const juplendEarnRedeem = instruction(
  'redeem',
  `
    signer ws, ownerTokenAccount w, recipientTokenAccount w, lendingAdmin, lending w, mint, fTokenMint w,
    supplyTokenReservesLiquidity w, lendingSupplyPositionOnLiquidity w, rateModel, vault w, claimAccount w?,
    liquidity w, liquidityProgram, rewardsRateModel, tokenProgram, associatedTokenProgram ?, systemProgram
  `,
  { shares: u64 },
);

/** Brings an fToken's exchange price up to now; anyone may send it. */
export const juplendEarnUpdateRate = instruction(
  'update_rate',
  'lending w, mint, fTokenMint, supplyTokenReservesLiquidity, rewardsRateModel',
  {},
);

/** Turns fTokens into `amount` underlying base units; 2^64 − 1 stands for what all fTokens of the owner are worth. */
export const juplendEarnWithdraw = instruction(
  'withdraw',
  `
    signer ws, ownerTokenAccount w, recipientTokenAccount w, lendingAdmin, lending w, mint, fTokenMint w,
    supplyTokenReservesLiquidity w, lendingSupplyPositionOnLiquidity w, rateModel, vault w, claimAccount w?,
    liquidity w, liquidityProgram, rewardsRateModel, tokenProgram, associatedTokenProgram ?, systemProgram
  `,
  { amount: u64 },
);

/** Creates the account that counts what `user` may fetch of `mint`; anyone may pay for it. */
export const juplendLiquidityInitClaimAccount = instruction(
  'init_claim_account',
  'signer ws, claimAccount w, systemProgram',
  { mint: pubkey, user: pubkey },
);

/**
 * Supplies (positive) or withdraws, borrows (positive) or pays back, in base units of the token. Program versions before 0.1.5 read the
 * associated token program as one account more.
 */
export const juplendLiquidityOperate = instruction(
  'operate',
  `
    protocol s, liquidity, tokenReserve w, mint, vault w, userSupplyPosition w?, userBorrowPosition w?, rateModel,
    withdrawToAccount w?, borrowToAccount w?, borrowClaimAccount w?, withdrawClaimAccount w?, tokenProgram
  `,
  { supplyAmount: i128, borrowAmount: i128, withdrawTo: pubkey, borrowTo: pubkey, transferType: u8 },
);

/** Announces a deposit or payback: what the vault gains from here on counts for the protocol that signs. */
export const juplendLiquidityPreOperate = instruction(
  'pre_operate',
  `
    protocol s, liquidity, userSupplyPosition ?, userBorrowPosition ?, vault, tokenReserve w, tokenProgram
  `,
  { mint: pubkey },
);

/** Brings a mint's exchange prices, utilisation and borrow rate up to now; anyone may send it. */
export const juplendLiquidityUpdateExchangePrice = instruction('update_exchange_price', 'tokenReserve w, rateModel', {
  mint: pubkey,
});
