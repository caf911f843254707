import { largerOf } from '@lending/domain';
import {
  findSolendMarketAuthority,
  NO_KEY,
  refreshSolendObligation,
  refreshSolendReserve,
  SOLEND_PROGRAM,
  type SolendReserve,
  solendDeposit,
  solendWithdraw,
  TOKEN_PROGRAM,
  tokenAccountLayout,
} from '@lending/programs';
import { accrueSolendReserve, type P0Bank, solendReceiptsPerToken, solendReserve, WAD } from '@lending/venues';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { readVenueAccount } from '#account-readers.ts';
import type { ReadAccount } from '#live/live-accounts.ts';
import { addressOf, associatedAccountOf, vaultAuthorityOf } from './derived-addresses.ts';
import { instructionsOf } from './instructions-of.ts';
import { integrationAccountOf, isThere, programOf, venueAccountOf } from './integration-accounts.ts';
import { receiptsToTake } from './receipts-to-take.ts';
import type { BankParty, VenueInstructions } from './venue-instructions.ts';
import { createAssociatedAccount } from './wallet/associated-account.ts';

const solend = instructionsOf({ program: SOLEND_PROGRAM });

/** P0 wants the reserve of this slot, and Save for a withdrawal also the obligation. */
export const solendInstructions: VenueInstructions = {
  accountsToAct: async (bank, read) => {
    const reserve = venueAccountOf(bank);
    if (!isThere(reserve, read)) return [reserve];
    return [reserve, (await receiptsOf(bank, readReserve(bank, read), programOf(bank, read))).address];
  },
  accountsToRefresh: async (bank) => [venueAccountOf(bank)],
  refresh: async (banks, read) => refreshReserves(banks, read),
  refreshToAct: async (kind, bank, others, read) => {
    const reserves = refreshReserves([bank, ...others], read);
    if (kind === 'deposit') return reserves;
    const deposits = [{ address: venueAccountOf(bank), role: AccountRole.WRITABLE }];
    return [...reserves, solend(refreshSolendObligation, { obligation: integrationAccountOf(bank, 1) }, {}, deposits)];
  },
  missingAccounts: async (kind, { authority, bank, program }, read) => {
    if (kind === 'withdraw') return [];
    const { address, ...holding } = await receiptsOf(bank, readReserve(bank, read), program);
    if (isThere(address, read)) return [];
    return [
      { address, bytes: tokenAccountLayout.fixedSize, create: createAssociatedAccount(authority, address, holding) },
    ];
  },
  deposit: async (party, amount, read) => {
    const reserve = readReserve(party.bank, read);
    const accounts = {
      ...(await accountsOf(party, reserve)),
      signerTokenAccount: party.tokenAccount,
      pythPrice: reserve.liquidity.pythOracle,
      switchboardFeed: reserve.liquidity.switchboardOracle,
    };
    return instructionsOf(party)(solendDeposit, accounts, { amount });
  },
  unitsToWithdraw: (bank, goal, read) => {
    if (goal.amount === 'all') return 'all';
    const reserve = readReserve(bank, read);
    // Another node may have shown the reserve of a later slot.
    const slot = largerOf(goal.moment.slot, reserve.lastUpdate.slot);
    const receipts = solendReceiptsPerToken(accrueSolendReserve(reserve, slot));
    return receiptsToTake(goal.amount, goal.assetShares, { receipts, tokens: WAD, tokenUnit: 1n });
  },
  withdraw: async (party, units, health, read) => {
    const reserve = readReserve(party.bank, read);
    const accounts = { ...(await accountsOf(party, reserve)), destinationTokenAccount: party.tokenAccount };
    const args = units === 'all' ? { amount: 0n, withdrawAll: true } : { amount: units, withdrawAll: null };
    return instructionsOf(party)(solendWithdraw, accounts, args, health);
  },
};

function refreshReserves(banks: readonly P0Bank[], read: ReadAccount): readonly Instruction[] {
  const reserves = new Map(banks.map((bank) => [venueAccountOf(bank), readReserve(bank, read)]));
  return [...reserves].map(([reserve, { liquidity, extraOracle }]) => {
    const { pythOracle, switchboardOracle } = liquidity;
    const extra = extraOracle === NO_KEY ? [] : [extraOracle];
    return solend(refreshSolendReserve, { reserve, pythOracle, switchboardOracle }, {}, extra);
  });
}

async function accountsOf({ program, authority, account, bank }: BankParty, reserve: SolendReserve) {
  const { lendingMarket, liquidity, collateral } = reserve;
  return {
    group: bank.group,
    marginfiAccount: account,
    authority,
    bank: bank.address,
    liquidityVaultAuthority: await vaultAuthorityOf(bank.address, program),
    liquidityVault: bank.liquidityVault,
    integrationAcc2: integrationAccountOf(bank, 1),
    lendingMarket,
    lendingMarketAuthority: await marketAuthorityOf(lendingMarket),
    integrationAcc1: venueAccountOf(bank),
    mint: bank.mint,
    reserveLiquiditySupply: liquidity.supplyPubkey,
    reserveCollateralMint: collateral.mintPubkey,
    reserveCollateralSupply: collateral.supplyPubkey,
    userCollateral: (await receiptsOf(bank, reserve, program)).address,
    solendProgram: SOLEND_PROGRAM,
    tokenProgram: TOKEN_PROGRAM,
  };
}

/** Where the bank's receipts pass through on their way to its obligation and back. */
async function receiptsOf({ address: bank }: P0Bank, { collateral }: SolendReserve, program?: Address) {
  const owner = await vaultAuthorityOf(bank, program);
  const holding = { owner, mint: collateral.mintPubkey, tokenProgram: TOKEN_PROGRAM };
  return { ...holding, address: await associatedAccountOf(holding) };
}

function readReserve(bank: P0Bank, read: ReadAccount): SolendReserve {
  return readVenueAccount(solendReserve, bank, venueAccountOf(bank), read);
}

function marketAuthorityOf(market: Address): Promise<Address> {
  return addressOf(findSolendMarketAuthority(market));
}
