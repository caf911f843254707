import { getDiscriminatedUnionCodec } from '@solana/kit';
import { bool, bytes, i80f48, option, pubkey, u8, u16, u32, u64, vec } from '#layout/field-types.ts';
import { instruction } from '#layout/instruction.ts';
import { struct } from '#layout/struct.ts';

/**
 * Ends a receivership, checks that health improved and the premium stayed within bounds, and takes the flat fee. Last
 * instruction. Remaining accounts: the health accounts of the balances that are left.
 */
export const endLiquidation = instruction(
  'end_liquidation',
  `
    marginfiAccount w, liquidationRecord w, group since 0.1.10, liquidationReceiver ws, feeState, globalFeeWallet w,
    systemProgram, feePayer ws? since 0.1.10
  `,
  {},
);

/**
 * Borrows tokens. `amount` is what arrives, in base units; the origination fee is added to the debt.
 * Remaining accounts as for a withdrawal, the borrowed bank among them.
 */
export const lendingAccountBorrow = instruction(
  'lending_account_borrow',
  `
    group, marginfiAccount w, authority s, bank w, destinationTokenAccount w, bankLiquidityVaultAuthority,
    liquidityVault w, tokenProgram
  `,
  { amount: u64 },
);

/** Frees the slot of a balance that holds less than 0.0001 base units on both sides. */
export const lendingAccountCloseBalance = instruction(
  'lending_account_close_balance',
  'group, marginfiAccount w, authority s, bank w',
  {},
);

/**
 * Adds tokens to an account's balance in one of P0's own banks. `amount` is what is credited, in base units; a Token-2022 mint is
 * the first remaining account, and its transfer fee comes on top.
 */
export const lendingAccountDeposit = instruction(
  'lending_account_deposit',
  `
    group, marginfiAccount w, authority s, bank w, signerTokenAccount w, liquidityVault w, tokenProgram
  `,
  { amount: u64, depositUpToLimit: option(bool) },
);

/** Ends a flash loan and judges health at the initial requirement. Remaining accounts: the health accounts of all balances. */
export const lendingAccountEndFlashloan = instruction(
  'lending_account_end_flashloan',
  'marginfiAccount w, group since 0.1.10, authority s',
  {},
);

/**
 * Takes `assetAmount` base units of an unhealthy account's collateral in exchange for its debt. Remaining accounts: the liability
 * mint if it is of Token-2022, the oracle accounts of the asset bank and of the liability bank, then `liquidatorAccounts` and
 * `liquidateeAccounts` health accounts.
 */
export const lendingAccountLiquidate = instruction(
  'lending_account_liquidate',
  `
    group, assetBank w, liabBank w, liquidatorMarginfiAccount w, authority s, liquidateeMarginfiAccount w,
    bankLiquidityVaultAuthority, bankLiquidityVault w, bankInsuranceVault w, tokenProgram
  `,
  { assetAmount: u64, liquidateeAccounts: u8, liquidatorAccounts: u8 },
);

/** Writes what the program thinks of an account into its health cache. Anyone may. Remaining accounts: the health accounts of all balances. */
export const lendingAccountPulseHealth = instruction(
  'lending_account_pulse_health',
  'marginfiAccount w, group since 0.1.10',
  {},
);

/**
 * Pays debt back. `amount` is what is credited, in base units, ignored when `repayAll` is true: then the debt at that moment is
 * charged, rounded up. Remaining accounts as for a deposit: a Token-2022 mint is the first remaining account, then its transfer
 * hook's.
 */
export const lendingAccountRepay = instruction(
  'lending_account_repay',
  `
    group, marginfiAccount w, authority s, bank w, signerTokenAccount w, liquidityVault w, tokenProgram
  `,
  { amount: u64, repayAll: option(bool) },
);

/** Lifts health checks until the instruction at `endIndex` of the same transaction, which must be the end of this flash loan. */
export const lendingAccountStartFlashloan = instruction(
  'lending_account_start_flashloan',
  'marginfiAccount w, authority s, ixsSysvar',
  { endIndex: u64 },
);

/** The same on anyone's initiative, to the wallet the account registered for it. From 0.1.1 to 0.1.7. */
export const lendingAccountWithdrawEmissionsPermissionless = instruction(
  'lending_account_withdraw_emissions_permissionless',
  `
    group, marginfiAccount w, bank w, emissionsMint, emissionsAuth, emissionsVault w, destinationAccount w,
    tokenProgram
  `,
  {},
);

/** Pays an account's outstanding rewards in a bank to its authority. Up to 0.1.7. */
export const lendingAccountWithdrawEmissions = instruction(
  'lending_account_withdraw_emissions',
  `
    group, marginfiAccount w, authority s, bank w, emissionsMint, emissionsAuth, emissionsVault w,
    destinationAccount w, tokenProgram
  `,
  {},
);

/**
 * Takes tokens out of a balance. `amount` is what arrives, in base units, ignored when `withdrawAll` is true. Remaining accounts:
 * the mint if it is of Token-2022, then the health accounts: `[bank, its oracle accounts]` of every balance that is active
 * afterwards, by bank address descending.
 */
export const lendingAccountWithdraw = instruction(
  'lending_account_withdraw',
  `
    group, marginfiAccount w, authority s, bank w, destinationTokenAccount w, bankLiquidityVaultAuthority,
    liquidityVault w, tokenProgram
  `,
  { amount: u64, withdrawAll: option(bool) },
);

/** Closes an account whose slots are all empty and sends its rent to the fee payer. */
export const marginfiAccountClose = instruction(
  'marginfi_account_close',
  'marginfiAccount w, authority s, feePayer ws, rebalanceFeePool since 0.1.12',
  {},
);

/** Ends the execution of an order, checks what is left of its balances, and closes it. Remaining accounts: the health accounts. From 0.1.8. */
export const marginfiAccountEndExecuteOrder = instruction(
  'marginfi_account_end_execute_order',
  'group, marginfiAccount w, executor s, feeRecipient w, order w, executeRecord w, feeState',
  {},
);

/** Opens the record that a liquidation by receivership needs. Anyone may pay for it. */
export const marginfiAccountInitLiqRecord = instruction(
  'marginfi_account_init_liq_record',
  'marginfiAccount w, feePayer ws, liquidationRecord w, systemProgram',
  {},
);

/**
 * Notes since when an unhealthy account may be liquidated, at a premium that grows with the time since; takes the note from one that is
 * healthy. Anyone may send it; the accounts of a health check follow. From 0.1.12.
 */
export const marginfiAccountTagLiqRecord = instruction(
  'marginfi_account_tag_liq_record',
  'marginfiAccount w, group',
  {},
);

/**
 * Creates an account at the address derived from group, authority, `accountIndex` and `thirdPartyId` (none is 0). Nobody but the
 * authority and the fee payer signs. At an address that is taken, it is the system program that fails (custom error 0).
 */
export const marginfiAccountInitializePda = instruction(
  'marginfi_account_initialize_pda',
  `
    marginfiGroup, marginfiAccount w, authority s, feePayer ws, instructionsSysvar, systemProgram
  `,
  { accountIndex: u16, thirdPartyId: option(u16) },
);

/** Creates an account at a fresh keypair, which signs too. */
export const marginfiAccountInitialize = instruction(
  'marginfi_account_initialize',
  'marginfiGroup, marginfiAccount ws, authority s, feePayer ws, systemProgram',
  {},
);

const oneThreshold = struct({ threshold: i80f48, maxSlippage: u32 });

/** Thresholds in USD, raw I80F48; `maxSlippage` is a fraction of u32::MAX. */
const orderTrigger = getDiscriminatedUnionCodec([
  ['StopLoss', oneThreshold],
  ['TakeProfit', oneThreshold],
  ['Both', struct({ stopLoss: i80f48, takeProfit: i80f48, maxSlippage: u32 })],
]);

/** Places a standing order over one asset and one debt of the account, named by their banks. From 0.1.8. */
export const marginfiAccountPlaceOrder = instruction(
  'marginfi_account_place_order',
  `
    group, marginfiAccount w, feePayer ws, authority s, order w, feeState, globalFeeWallet w, systemProgram
  `,
  { bankKeys: vec(pubkey), trigger: orderTrigger },
);

/**
 * Lets the executor withdraw and repay for the account until the end of the transaction, because the order's trigger is met.
 * Remaining accounts: the health accounts. From 0.1.8.
 */
export const marginfiAccountStartExecuteOrder = instruction(
  'marginfi_account_start_execute_order',
  `
    group, marginfiAccount w, feePayer ws, executor, order w, executeRecord w, instructionSysvar, systemProgram
  `,
  {},
);

/** Closes an order to rebalance. Without the owner's signature only where it has nothing left to move. From 0.1.12. */
export const marginfiAccountCloseRebalanceOrder = instruction(
  'marginfi_account_close_rebalance_order',
  'marginfiAccount w, authority s?, feeRecipient w, rebalanceOrder w',
  {},
);

/** Ends a rebalance and checks what moved. Remaining accounts: the order's banks as at its start, then the health accounts. From 0.1.12. */
export const marginfiAccountEndRebalance = instruction(
  'marginfi_account_end_rebalance',
  `
    group, marginfiAccount w, rebalanceOrder w, rebalanceRecord w, executor ws, rebalanceFeePool w, systemProgram
  `,
  {},
);

/**
 * Places an order to keep the deposits of a mint in the best paying of two to eight banks. What is null is the program's own: 5 % a year
 * (raw I80F48), a day, all there is, no tip. `amount` in base units, the tip in lamports. From 0.1.12.
 */
export const marginfiAccountPlaceRebalanceOrder = instruction(
  'marginfi_account_place_rebalance_order',
  'group, marginfiAccount w, authority s, mint, rebalanceOrder w, payer ws, systemProgram',
  {
    allowedBanks: vec(pubkey),
    minImprovement: option(i80f48),
    cooldownSeconds: option(u64),
    amount: option(u64),
    keeperTip: option(u64),
  },
);

/**
 * Pays the tip that waits in a record to its executor, or back to the pool where the moves brought nothing, and closes the record. Remaining
 * accounts: the record's banks, each with its oracle's, JupLend's token reserve between. From 0.1.12.
 */
export const marginfiAccountSettleRebalanceTip = instruction(
  'marginfi_account_settle_rebalance_tip',
  'group, marginfiAccount, rebalanceRecord w, executor w, rebalanceFeePool w, caller ws',
  {},
);

/** From one of the order's banks to another, by their place in its record; `amount` in whole tokens, raw I80F48. */
export const rebalanceMove = struct({ srcIndex: u8, dstIndex: u8, _pad0: bytes(6), amount: i80f48 });

/**
 * Lets the executor withdraw and deposit within an order's banks until the end of the transaction. Remaining accounts: each bank with its
 * venue's and its oracle's. From 0.1.12.
 */
export const marginfiAccountStartRebalance = instruction(
  'marginfi_account_start_rebalance',
  `
    group, marginfiAccount w, rebalanceOrder, executor, rebalanceRecord w, payer ws, instructionsSysvar, systemProgram
  `,
  { moves: vec(rebalanceMove), executionSeq: u64 },
);

/** Puts `amount` lamports into the pool that an account's tips are paid from, and what it lacks of its rent. Anyone may. From 0.1.12. */
export const marginfiAccountTopUpRebalanceFeePool = instruction(
  'marginfi_account_top_up_rebalance_fee_pool',
  'marginfiAccount, rebalanceFeePool w, payer ws, systemProgram',
  { amount: u64 },
);

/** Names the wallet that receives rewards paid to the account. */
export const marginfiAccountUpdateEmissionsDestinationAccount = instruction(
  'marginfi_account_update_emissions_destination_account',
  'marginfiAccount w, authority s, destinationAccount',
  {},
);

/** Changes what is not null of an order to rebalance. From 0.1.12. */
export const marginfiAccountUpdateRebalanceOrder = instruction(
  'marginfi_account_update_rebalance_order',
  'marginfiAccount, authority s, rebalanceOrder w',
  {
    allowedBanks: option(vec(pubkey)),
    minImprovement: option(i80f48),
    cooldownSeconds: option(u64),
    amount: option(u64),
    keeperTip: option(u64),
  },
);

/** Takes lamports out of the pool of tips: all of them where less than its rent would be left. From 0.1.12. */
export const marginfiAccountWithdrawRebalanceFeePool = instruction(
  'marginfi_account_withdraw_rebalance_fee_pool',
  'marginfiAccount, authority s, rebalanceFeePool w, destination w, systemProgram',
  { amount: u64 },
);

/**
 * Hands an unhealthy account to the receiver for the rest of the transaction. First instruction but for compute budget and its
 * like. Remaining accounts: the health accounts of all balances.
 */
export const startLiquidation = instruction(
  'start_liquidation',
  'marginfiAccount w, liquidationRecord w, group since 0.1.10, liquidationReceiver, instructionSysvar',
  {},
);

/** Moves every balance to a new account derived from the **new** authority and disables the old one, for the same fee as `transfer_to_new_account`. */
export const transferToNewAccountPda = instruction(
  'transfer_to_new_account_pda',
  `
    group, oldMarginfiAccount w, newMarginfiAccount w, authority s, feePayer ws, newAuthority, globalFeeWallet w,
    feeState since 0.1.10, instructionsSysvar, systemProgram
  `,
  { accountIndex: u16, thirdPartyId: option(u16) },
);

/**
 * Moves every balance to a new account at a fresh keypair and disables the old one. Costs a flat fee in lamports, paid to the
 * wallet that the group has cached.
 */
export const transferToNewAccount = instruction(
  'transfer_to_new_account',
  `
    group, oldMarginfiAccount w, newMarginfiAccount ws, authority s, feePayer ws, newAuthority, globalFeeWallet w,
    feeState since 0.1.10, systemProgram
  `,
  {},
);
