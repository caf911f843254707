import {
  ASSOCIATED_TOKEN_PROGRAM,
  getAddressBytes,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  type JuplendLending,
  juplendDeposit,
  juplendEarnDeposit,
  juplendEarnRedeem,
  juplendEarnUpdateRate,
  juplendLendingLayout,
  juplendLiquidityUpdateExchangePrice,
  juplendTokenReserveLayout,
  juplendWithdraw,
  MARGINFI_MAIN_GROUP,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import type { Address, Instruction } from '@solana/kit';
import { findProgramAddress } from '#engine/derived-address.ts';
import { tokenProgramOf } from '../bank-addresses.ts';
import {
  associatedAccountOf,
  buildFor,
  type Owner,
  p0Instruction,
  tokenAccountOf,
  tokenOf,
  vaultAuthorityOf,
} from '../lending-instructions.ts';
import { venueAccountOf } from './integration-accounts.ts';
import type { ReadAccount, ReserveInstructions, VenueInstructions } from './venue-instructions.ts';

const lend = buildFor(JUPLEND_LENDING_PROGRAM);

/** Its deposits and withdrawals bring the rate up to now themselves. */
export const juplendInstructions: VenueInstructions = {
  rates: {
    refresh: (bank, read) => {
      const lending = readLending(bank, read);
      const { mint, tokenReservesLiquidity: tokenReserve } = lending;
      const accounts = { tokenReserve, rateModel: rateModelOf(mint) };
      const price = buildFor(JUPLEND_LIQUIDITY_PROGRAM)(juplendLiquidityUpdateExchangePrice, accounts, { mint });
      return [price, updateRate(venueAccountOf(bank), lending)];
    },
    accounts: (bank, asked, read) => {
      const { mint, fTokenMint, tokenReservesLiquidity, rewardsRateModel } = readLending(bank, read);
      const ofRate = asked === 'rate' ? [rewardsRateModel, fTokenMint, rateModelOf(mint)] : [];
      return [tokenReservesLiquidity, ...ofRate];
    },
  },
  refresh: (bank, read) => [updateRate(venueAccountOf(bank), readLending(bank, read))],
  deposit: (owner, bank, amount, read) => {
    const accounts = {
      ...accountsOf(owner, bank, readLending(bank, read), read),
      signerTokenAccount: tokenAccountOf(owner.wallet, tokenOf(bank)),
      liquidityVault: bank.liquidityVault,
    };
    return [p0Instruction(juplendDeposit, accounts, { amount })];
  },
  withdraw: (owner, bank, amount, health, read) => {
    const accounts = {
      ...accountsOf(owner, bank, readLending(bank, read), read),
      destinationTokenAccount: tokenAccountOf(owner.wallet, tokenOf(bank)),
      integrationAcc3: integrationAccount(bank, 2),
      claimAccount: derive(JUPLEND_LIQUIDITY_PROGRAM, 'user_claim', vaultAuthorityOf('liquidity', bank), bank.mint),
    };
    const args = amount === 'all' ? { amount: 0n, withdrawAll: true } : { amount, withdrawAll: null };
    return [p0Instruction(juplendWithdraw, accounts, args, health)];
  },
};

export const juplendReserveInstructions: ReserveInstructions = {
  receiptOf: (address, read) => ({ mint: decode(address, read).fTokenMint, tokenProgram: TOKEN_PROGRAM }),
  refresh: (address, read) => updateRate(address, decode(address, read)),
  supply: (wallet, address, assets, read) => {
    const { tokens, receipts, ...accounts } = customerAccounts(wallet, address, decode(address, read), read);
    const named = { ...accounts, depositorTokenAccount: tokens, recipientTokenAccount: receipts };
    return [lend(juplendEarnDeposit, named, { assets })];
  },
  redeem: (wallet, address, shares, read) => {
    const { tokens, receipts, ...accounts } = customerAccounts(wallet, address, decode(address, read), read);
    const named = { ...accounts, ownerTokenAccount: receipts, recipientTokenAccount: tokens };
    return [lend(juplendEarnRedeem, named, { shares })];
  },
};

function updateRate(address: Address, lending: JuplendLending): Instruction {
  return lend(
    juplendEarnUpdateRate,
    {
      lending: address,
      mint: lending.mint,
      fTokenMint: lending.fTokenMint,
      supplyTokenReservesLiquidity: lending.tokenReservesLiquidity,
      rewardsRateModel: lending.rewardsRateModel,
    },
    {},
  );
}

function accountsOf({ wallet, account }: Owner, bank: P0Bank, lending: JuplendLending, read: ReadAccount) {
  return {
    ...poolAccounts(lending, read),
    group: MARGINFI_MAIN_GROUP,
    marginfiAccount: account,
    authority: wallet,
    bank: bank.address,
    liquidityVaultAuthority: vaultAuthorityOf('liquidity', bank),
    integrationAcc1: venueAccountOf(bank),
    integrationAcc2: integrationAccount(bank, 1),
    juplendProgram: JUPLEND_LENDING_PROGRAM,
    tokenProgram: tokenProgramOf(tokenOf(bank)),
  };
}

function customerAccounts(wallet: Address, address: Address, lending: JuplendLending, read: ReadAccount) {
  const { mint, fTokenMint } = lending;
  const holding = { owner: wallet, tokenProgram: TOKEN_PROGRAM };
  return {
    ...poolAccounts(lending, read),
    signer: wallet,
    lending: address,
    claimAccount: null,
    tokens: associatedAccountOf({ ...holding, mint }),
    receipts: associatedAccountOf({ ...holding, mint: fTokenMint }),
    tokenProgram: TOKEN_PROGRAM,
  };
}

/** What every deposit and withdrawal names, through P0 or not. */
function poolAccounts({ mint, fTokenMint, ...lending }: JuplendLending, read: ReadAccount) {
  return {
    mint,
    fTokenMint,
    lendingAdmin: derive(JUPLEND_LENDING_PROGRAM, 'lending_admin'),
    supplyTokenReservesLiquidity: lending.tokenReservesLiquidity,
    lendingSupplyPositionOnLiquidity: lending.supplyPositionOnLiquidity,
    rateModel: rateModelOf(mint),
    vault: juplendTokenReserveLayout.decode(read(lending.tokenReservesLiquidity)).vault,
    liquidity: derive(JUPLEND_LIQUIDITY_PROGRAM, 'liquidity'),
    liquidityProgram: JUPLEND_LIQUIDITY_PROGRAM,
    rewardsRateModel: lending.rewardsRateModel,
    associatedTokenProgram: ASSOCIATED_TOKEN_PROGRAM,
    systemProgram: SYSTEM_PROGRAM,
  };
}

function readLending(bank: P0Bank, read: ReadAccount): JuplendLending {
  return decode(venueAccountOf(bank), read);
}

function decode(address: Address, read: ReadAccount): JuplendLending {
  return juplendLendingLayout.decode(read(address));
}

function integrationAccount({ address, integrationAccounts }: P0Bank, index: 1 | 2): Address {
  const account = integrationAccounts[index];
  if (account === undefined) throw new TypeError(`The JupLend bank ${address} lacks an integration account`);
  return account;
}

function rateModelOf(mint: Address): Address {
  return derive(JUPLEND_LIQUIDITY_PROGRAM, 'rate_model', mint);
}

function derive(program: Address, seed: string, ...keys: readonly Address[]): Address {
  return findProgramAddress([new TextEncoder().encode(seed), ...keys.map(getAddressBytes)], program).address;
}
