import {
  depositSolendLiquidity,
  getAddressBytes,
  MARGINFI_MAIN_GROUP,
  redeemSolendCollateral,
  refreshSolendObligation,
  refreshSolendReserve,
  SOLEND_PROGRAM,
  type SolendReserve,
  solendDeposit,
  solendReserveLayout,
  solendWithdraw,
  TOKEN_PROGRAM,
} from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { findProgramAddress } from '#engine/derived-address.ts';
import {
  associatedAccountOf,
  buildFor,
  ensureAssociatedAccount,
  type Owner,
  p0Instruction,
  tokenAccountOf,
  tokenOf,
  vaultAuthorityOf,
} from '../lending-instructions.ts';
import { obligationOf, venueAccountOf } from './integration-accounts.ts';
import type { ReadAccount, ReserveInstructions, VenueInstructions } from './venue-instructions.ts';

const solend = buildFor(SOLEND_PROGRAM);

export const solendInstructions: VenueInstructions = {
  // The program knows no rate of a Solend bank: an order that has one is refused.
  rates: { refresh: () => [], accounts: () => [] },
  refresh: (bank, read) => refresh(bank, readReserve(bank, read)),
  deposit: (owner, bank, amount, read) => {
    const reserve = readReserve(bank, read);
    const accounts = {
      ...accountsOf(owner, bank, reserve),
      signerTokenAccount: tokenAccountOf(owner.wallet, tokenOf(bank)),
      pythPrice: reserve.liquidity.pythOracle,
      switchboardFeed: reserve.liquidity.switchboardOracle,
    };
    return [
      ensureAssociatedAccount(owner.wallet, receiptsOf(bank, reserve)),
      refreshReserve(venueAccountOf(bank), reserve),
      p0Instruction(solendDeposit, accounts, { amount }),
    ];
  },
  withdraw: (owner, bank, amount, health, read) => {
    const reserve = readReserve(bank, read);
    const accounts = {
      ...accountsOf(owner, bank, reserve),
      destinationTokenAccount: tokenAccountOf(owner.wallet, tokenOf(bank)),
    };
    const args = amount === 'all' ? { amount: 0n, withdrawAll: true } : { amount, withdrawAll: null };
    return [...refresh(bank, reserve), p0Instruction(solendWithdraw, accounts, args, health)];
  },
};

export const solendReserveInstructions: ReserveInstructions = {
  receiptOf: (address, read) => ({ mint: decode(address, read).collateral.mintPubkey, tokenProgram: TOKEN_PROGRAM }),
  refresh: (address, read) => refreshReserve(address, decode(address, read)),
  supply: (wallet, address, liquidityAmount, read) => {
    const reserve = decode(address, read);
    const { tokens, receipts, ...accounts } = customerAccounts(wallet, address, reserve);
    const named = { ...accounts, sourceLiquidity: tokens, destinationCollateral: receipts };
    return [refreshReserve(address, reserve), solend(depositSolendLiquidity, named, { liquidityAmount })];
  },
  redeem: (wallet, address, collateralAmount, read) => {
    const reserve = decode(address, read);
    const { tokens, receipts, ...accounts } = customerAccounts(wallet, address, reserve);
    const named = { ...accounts, sourceCollateral: receipts, destinationLiquidity: tokens };
    return [refreshReserve(address, reserve), solend(redeemSolendCollateral, named, { collateralAmount })];
  },
};

function customerAccounts(wallet: Address, address: Address, { lendingMarket, liquidity, collateral }: SolendReserve) {
  const holding = { owner: wallet, tokenProgram: TOKEN_PROGRAM };
  return {
    reserve: address,
    reserveLiquiditySupply: liquidity.supplyPubkey,
    reserveCollateralMint: collateral.mintPubkey,
    lendingMarket,
    lendingMarketAuthority: marketAuthorityOf(lendingMarket),
    userTransferAuthority: wallet,
    tokens: associatedAccountOf({ ...holding, mint: liquidity.mintPubkey }),
    receipts: associatedAccountOf({ ...holding, mint: collateral.mintPubkey }),
    tokenProgram: TOKEN_PROGRAM,
  };
}

function refreshReserve(address: Address, { liquidity }: SolendReserve): Instruction {
  const { pythOracle, switchboardOracle } = liquidity;
  return solend(refreshSolendReserve, { reserve: address, pythOracle, switchboardOracle }, {});
}

function refresh(bank: P0Bank, reserve: SolendReserve): readonly Instruction[] {
  const address = venueAccountOf(bank);
  const obligation = { obligation: obligationOf(bank) };
  return [
    refreshReserve(address, reserve),
    solend(refreshSolendObligation, obligation, {}, [{ address, role: AccountRole.WRITABLE }]),
  ];
}

function accountsOf({ wallet, account }: Owner, bank: P0Bank, reserve: SolendReserve) {
  const { lendingMarket, liquidity, collateral } = reserve;
  return {
    group: MARGINFI_MAIN_GROUP,
    marginfiAccount: account,
    authority: wallet,
    bank: bank.address,
    liquidityVaultAuthority: vaultAuthorityOf('liquidity', bank),
    liquidityVault: bank.liquidityVault,
    integrationAcc2: obligationOf(bank),
    lendingMarket,
    lendingMarketAuthority: marketAuthorityOf(lendingMarket),
    integrationAcc1: venueAccountOf(bank),
    mint: bank.mint,
    reserveLiquiditySupply: liquidity.supplyPubkey,
    reserveCollateralMint: collateral.mintPubkey,
    reserveCollateralSupply: collateral.supplyPubkey,
    userCollateral: associatedAccountOf(receiptsOf(bank, reserve)),
    solendProgram: SOLEND_PROGRAM,
    tokenProgram: TOKEN_PROGRAM,
  };
}

/** Where the bank's receipts pass through on their way to its obligation. */
function receiptsOf(bank: P0Bank, { collateral }: SolendReserve) {
  return { owner: vaultAuthorityOf('liquidity', bank), mint: collateral.mintPubkey, tokenProgram: TOKEN_PROGRAM };
}

function readReserve(bank: P0Bank, read: ReadAccount): SolendReserve {
  return decode(venueAccountOf(bank), read);
}

function decode(address: Address, read: ReadAccount): SolendReserve {
  return solendReserveLayout.decode(read(address));
}

function marketAuthorityOf(market: Address): Address {
  return findProgramAddress([getAddressBytes(market)], SOLEND_PROGRAM).address;
}
