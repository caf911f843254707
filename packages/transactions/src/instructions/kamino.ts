import {
  INSTRUCTIONS_SYSVAR,
  KAMINO_FARMS_PROGRAM,
  KLEND_PROGRAM,
  type KlendReserve,
  kaminoDeposit,
  kaminoWithdraw,
  klendRefreshObligation,
  klendRefreshReservesBatch,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { accrueKaminoReserve, kaminoCTokenRate, kaminoMarket, kaminoReserve, type P0Bank, toSf } from '@lending/venues';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { readVenueAccount } from '#account-readers.ts';
import type { ReadAccount } from '#live/live-accounts.ts';
import { vaultAuthorityOf } from './derived-addresses.ts';
import { instructionsOf } from './instructions-of.ts';
import { integrationAccountOf, isThere, venueAccountOf } from './integration-accounts.ts';
import { farmOf, farmUser, marketAuthorityOf } from './kamino-farm.ts';
import { receiptsToTake } from './receipts-to-take.ts';
import type { BankParty, VenueInstructions } from './venue-instructions.ts';

const WITHDRAW_ALL = 1;
const klend = instructionsOf({ program: KLEND_PROGRAM });

/**
 * klend wants the reserve and then the obligation refreshed before it moves tokens, and any movement of tokens undoes it. Prices are
 * left alone: P0 takes its own, and an obligation without debt needs none.
 */
export const kaminoInstructions: VenueInstructions = {
  accountsToAct: async (bank, read) => {
    const reserve = venueAccountOf(bank);
    if (!isThere(reserve, read)) return [reserve];
    const found = readReserve(bank, read);
    const farm = await farmOf(found, obligationOf(bank));
    return [reserve, found.lendingMarket, ...(farm === null ? [] : [farm.user])];
  },
  accountsToRefresh: async (bank) => [venueAccountOf(bank)],
  refresh: async (banks, read) => refreshReserves(banks, read),
  refreshToAct: async (_, bank, others, read) => {
    const reserve = venueAccountOf(bank);
    const { lendingMarket } = readReserve(bank, read);
    const accounts = { lendingMarket, obligation: obligationOf(bank) };
    return [
      ...refreshReserves([bank, ...others], read),
      klend(klendRefreshObligation, accounts, {}, [{ address: reserve, role: AccountRole.READONLY }]),
    ];
  },
  missingAccounts: async (_, party, read) => {
    const reserve = readReserve(party.bank, read);
    const farm = await farmOf(reserve, obligationOf(party.bank));
    // It cannot be created where it is: it has to have been looked for.
    return farm === null || read(farm.user) !== null ? [] : [await farmUser(party, reserve, farm)];
  },
  deposit: async (party, amount, read) => {
    const reserve = readReserve(party.bank, read);
    const accounts = {
      ...(await accountsOf(party, reserve)),
      signerTokenAccount: party.tokenAccount,
      reserveDestinationDepositCollateral: reserve.collateral.supplyVault,
    };
    return instructionsOf(party)(kaminoDeposit, accounts, { amount, refreshReserve: null });
  },
  unitsToWithdraw: (bank, goal, read) => {
    if (goal.amount === 'all') return 'all';
    const reserve = readReserve(bank, read);
    const market = readVenueAccount(kaminoMarket, bank, reserve.lendingMarket, read);
    const { liquiditySf, cTokens } = kaminoCTokenRate(accrueKaminoReserve(reserve, market, goal.moment));
    return receiptsToTake(goal.amount, goal.assetShares, {
      receipts: cTokens,
      tokens: liquiditySf,
      tokenUnit: toSf(1n),
    });
  },
  withdraw: async (party, units, health, read) => {
    const reserve = readReserve(party.bank, read);
    const accounts = {
      ...(await accountsOf(party, reserve)),
      destinationTokenAccount: party.tokenAccount,
      reserveSourceCollateral: reserve.collateral.supplyVault,
    };
    const args = units === 'all' ? { amount: 0n, flags: WITHDRAW_ALL } : { amount: units, flags: null };
    return instructionsOf(party)(kaminoWithdraw, accounts, args, health);
  },
};

/** One instruction for all of them, without prices. */
function refreshReserves(banks: readonly P0Bank[], read: ReadAccount): readonly Instruction[] {
  if (banks.length === 0) return [];
  const reserves = new Map(banks.map((bank) => [venueAccountOf(bank), readReserve(bank, read).lendingMarket]));
  const pairs = [...reserves].flatMap(([address, market]) => [
    { address, role: AccountRole.WRITABLE },
    { address: market, role: AccountRole.READONLY },
  ]);
  return [klend(klendRefreshReservesBatch, {}, { skipPriceUpdates: true }, pairs)];
}

async function accountsOf({ program, authority, account, bank, tokenProgram }: BankParty, reserve: KlendReserve) {
  const { lendingMarket, liquidity, collateral } = reserve;
  const farm = await farmOf(reserve, obligationOf(bank));
  return {
    group: bank.group,
    marginfiAccount: account,
    authority,
    bank: bank.address,
    liquidityVaultAuthority: await vaultAuthorityOf(bank.address, program),
    liquidityVault: bank.liquidityVault,
    integrationAcc2: obligationOf(bank),
    lendingMarket,
    lendingMarketAuthority: await marketAuthorityOf(lendingMarket),
    integrationAcc1: venueAccountOf(bank),
    mint: bank.mint,
    reserveLiquiditySupply: liquidity.supplyVault,
    reserveCollateralMint: collateral.mintPubkey,
    obligationFarmUserState: farm?.user ?? null,
    reserveFarmState: farm?.farm ?? null,
    kaminoProgram: KLEND_PROGRAM,
    farmsProgram: KAMINO_FARMS_PROGRAM,
    collateralTokenProgram: TOKEN_PROGRAM,
    liquidityTokenProgram: tokenProgram,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  };
}

function obligationOf(bank: P0Bank): Address {
  return integrationAccountOf(bank, 1);
}

function readReserve(bank: P0Bank, read: ReadAccount): KlendReserve {
  return readVenueAccount(kaminoReserve, bank, venueAccountOf(bank), read);
}
