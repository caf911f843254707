import {
  ASSOCIATED_TOKEN_PROGRAM,
  findJuplendLendingAdmin,
  findJuplendLiquidity,
  findJuplendRateModel,
  findJuplendUserClaim,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  type JuplendLending,
  juplendDeposit,
  juplendEarnUpdateRate,
  juplendLiquidityInitClaimAccount,
  juplendUserClaimLayout,
  juplendWithdraw,
  SYSTEM_PROGRAM,
  tokenAccountLayout,
} from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import { juplendLending, juplendTokenReserve } from '@lending/venues';
import type { Address, Instruction } from '@solana/kit';
import { readVenueAccount } from '#account-readers.ts';
import type { ReadAccount } from '#live/live-accounts.ts';
import { addressOf, vaultAuthorityOf } from './derived-addresses.ts';
import { instructionsOf } from './instructions-of.ts';
import { integrationAccountOf, isThere, programOf, venueAccountOf } from './integration-accounts.ts';
import type { BankParty, MissingAccount, VenueInstructions } from './venue-instructions.ts';
import { createAssociatedAccount } from './wallet/associated-account.ts';

const lend = instructionsOf({ program: JUPLEND_LENDING_PROGRAM });
const liquidity = instructionsOf({ program: JUPLEND_LIQUIDITY_PROGRAM });

/** Its deposits and withdrawals bring the rate up to now themselves; a balance that is only valued does not. */
export const juplendInstructions: VenueInstructions = {
  accountsToAct: async (bank, read) => {
    const lending = venueAccountOf(bank);
    const claim = await claimAccountOf(bank, programOf(bank, read));
    const ofBank = [lending, integrationAccountOf(bank, 2), claim];
    return isThere(lending, read) ? [...ofBank, readLending(bank, read).tokenReservesLiquidity] : ofBank;
  },
  accountsToRefresh: async (bank) => [venueAccountOf(bank)],
  refresh: async (banks, read) => updateRates(banks, read),
  refreshToAct: async (_, __, others, read) => updateRates(others, read),
  missingAccounts: async (kind, party, read) => {
    if (kind === 'deposit') return [];
    const made = [await intermediaryOf(party), await claimOf(party)];
    return made.filter(({ address }) => !isThere(address, read));
  },
  deposit: async (party, amount, read) => {
    const accounts = {
      ...(await accountsOf(party, read)),
      signerTokenAccount: party.tokenAccount,
      liquidityVault: party.bank.liquidityVault,
    };
    return instructionsOf(party)(juplendDeposit, accounts, { amount });
  },
  unitsToWithdraw: (_, { amount }) => amount,
  withdraw: async (party, amount, health, read) => {
    const { bank, program } = party;
    const accounts = {
      ...(await accountsOf(party, read)),
      destinationTokenAccount: party.tokenAccount,
      integrationAcc3: integrationAccountOf(bank, 2),
      claimAccount: await claimAccountOf(bank, program),
    };
    const args = amount === 'all' ? { amount: 0n, withdrawAll: true } : { amount, withdrawAll: null };
    return instructionsOf(party)(juplendWithdraw, accounts, args, health);
  },
};

function updateRates(banks: readonly P0Bank[], read: ReadAccount): readonly Instruction[] {
  const pools = new Map(banks.map((bank) => [venueAccountOf(bank), readLending(bank, read)]));
  return [...pools].map(([lending, { mint, fTokenMint, tokenReservesLiquidity, rewardsRateModel }]) =>
    lend(
      juplendEarnUpdateRate,
      { lending, mint, fTokenMint, supplyTokenReservesLiquidity: tokenReservesLiquidity, rewardsRateModel },
      {},
    ),
  );
}

async function accountsOf({ program, authority, account, bank, tokenProgram }: BankParty, read: ReadAccount) {
  const lending = readLending(bank, read);
  const { mint, fTokenMint, tokenReservesLiquidity } = lending;
  return {
    group: bank.group,
    marginfiAccount: account,
    authority,
    bank: bank.address,
    liquidityVaultAuthority: await vaultAuthorityOf(bank.address, program),
    mint,
    integrationAcc1: venueAccountOf(bank),
    fTokenMint,
    integrationAcc2: integrationAccountOf(bank, 1),
    lendingAdmin: await addressOf(findJuplendLendingAdmin()),
    supplyTokenReservesLiquidity: tokenReservesLiquidity,
    lendingSupplyPositionOnLiquidity: lending.supplyPositionOnLiquidity,
    rateModel: await addressOf(findJuplendRateModel(mint)),
    vault: readVenueAccount(juplendTokenReserve, bank, tokenReservesLiquidity, read).vault,
    liquidity: await addressOf(findJuplendLiquidity()),
    liquidityProgram: JUPLEND_LIQUIDITY_PROGRAM,
    rewardsRateModel: lending.rewardsRateModel,
    juplendProgram: JUPLEND_LENDING_PROGRAM,
    tokenProgram,
    associatedTokenProgram: ASSOCIATED_TOKEN_PROGRAM,
    systemProgram: SYSTEM_PROGRAM,
  };
}

/** Where a withdrawal's tokens pass through. */
async function intermediaryOf({ authority, bank, program, tokenProgram }: BankParty): Promise<MissingAccount> {
  const address = integrationAccountOf(bank, 2);
  const holding = { owner: await vaultAuthorityOf(bank.address, program), mint: bank.mint, tokenProgram };
  return { address, bytes: tokenAccountLayout.fixedSize, create: createAssociatedAccount(authority, address, holding) };
}

/** Where the liquidity layer counts what the bank may fetch. */
async function claimOf({ authority, bank, program }: BankParty): Promise<MissingAccount> {
  const address = await claimAccountOf(bank, program);
  const accounts = { signer: authority, claimAccount: address, systemProgram: SYSTEM_PROGRAM };
  const user = await vaultAuthorityOf(bank.address, program);
  const create = liquidity(juplendLiquidityInitClaimAccount, accounts, { mint: bank.mint, user });
  return { address, bytes: juplendUserClaimLayout.fixedSize, create };
}

async function claimAccountOf({ address, mint }: P0Bank, program?: Address): Promise<Address> {
  const user = await vaultAuthorityOf(address, program);
  return addressOf(findJuplendUserClaim(user, mint));
}

function readLending(bank: P0Bank, read: ReadAccount): JuplendLending {
  return readVenueAccount(juplendLending, bank, venueAccountOf(bank), read);
}
