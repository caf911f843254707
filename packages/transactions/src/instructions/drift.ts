import {
  DRIFT_PROGRAM,
  DRIFT_SIGNER,
  DRIFT_STATE,
  type DriftSpotMarket,
  driftDeposit,
  driftWithdraw,
  findDriftSpotMarket,
  instruction,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import { driftMarket, driftUser } from '@lending/venues';
import type { Address, Instruction } from '@solana/kit';
import { readVenueAccount } from '#account-readers.ts';
import type { ReadAccount } from '#live/live-accounts.ts';
import { addressOf, vaultAuthorityOf } from './derived-addresses.ts';
import { instructionsOf } from './instructions-of.ts';
import { integrationAccountOf, isThere, venueAccountOf } from './integration-accounts.ts';
import type { BankParty, VenueInstructions } from './venue-instructions.ts';

/** `OracleSource::QuoteAsset`: worth one dollar by definition. */
const QUOTE_ASSET = 2;
/** `SpotBalanceType::Deposit`. */
const DEPOSIT = 0;
/** The bank's own market stands in one of the first two positions; the venue's administrator pays rewards into the others. */
const FIRST_REWARD_POSITION = 2;
const drift = instructionsOf({ program: DRIFT_PROGRAM });

const updateSpotMarketCumulativeInterest = instruction(
  'update_spot_market_cumulative_interest',
  'state, spotMarket w, oracle, spotMarketVault',
  {},
);

/** Deposits and withdrawals bring their own market's interest up to now; a balance that is only valued does not. */
export const driftInstructions: VenueInstructions = {
  accountsToAct: async (bank, read) => {
    const user = integrationAccountOf(bank, 1);
    const ofBank = [venueAccountOf(bank), user];
    return isThere(user, read) ? [...ofBank, ...(await rewardMarketsOf(bank, read))] : ofBank;
  },
  accountsToRefresh: async (bank) => [venueAccountOf(bank)],
  refresh: async (banks, read) => updateMarkets(banks, read),
  refreshToAct: async (_, __, others, read) => updateMarkets(others, read),
  missingAccounts: async () => [],
  deposit: async (party, amount, read) => {
    const accounts = { ...(await accountsOf(party, read)), signerTokenAccount: party.tokenAccount };
    return instructionsOf(party)(driftDeposit, accounts, { amount });
  },
  unitsToWithdraw: (_, { amount }) => amount,
  withdraw: async (party, amount, health, read) => {
    const markets = await rewardMarketsOf(party.bank, read);
    const [first = null, second = null] = markets.map((address) => ({
      address,
      market: readVenueAccount(driftMarket, party.bank, address, read),
    }));
    const accounts = {
      ...(await accountsOf(party, read)),
      destinationTokenAccount: party.tokenAccount,
      driftRewardOracle: first === null ? null : oracleOf(first.market),
      driftRewardSpotMarket: first?.address ?? null,
      driftRewardMint: first?.market.mint ?? null,
      driftRewardOracle2: second === null ? null : oracleOf(second.market),
      driftRewardSpotMarket2: second?.address ?? null,
      driftRewardMint2: second?.market.mint ?? null,
      driftSigner: DRIFT_SIGNER,
    };
    const args = amount === 'all' ? { amount: 0n, withdrawAll: true } : { amount, withdrawAll: null };
    return instructionsOf(party)(driftWithdraw, accounts, args, health);
  },
};

function updateMarkets(banks: readonly P0Bank[], read: ReadAccount): readonly Instruction[] {
  const markets = new Map(banks.map((bank) => [venueAccountOf(bank), readMarket(bank, read)]));
  return [...markets].map(([spotMarket, { oracle, vault: spotMarketVault }]) => {
    const accounts = { state: DRIFT_STATE, spotMarket, oracle, spotMarketVault };
    return drift(updateSpotMarketCumulativeInterest, accounts, {});
  });
}

async function accountsOf({ program, authority, account, bank, tokenProgram }: BankParty, read: ReadAccount) {
  const market = readMarket(bank, read);
  return {
    group: bank.group,
    marginfiAccount: account,
    authority,
    bank: bank.address,
    driftOracle: oracleOf(market),
    liquidityVaultAuthority: await vaultAuthorityOf(bank.address, program),
    liquidityVault: bank.liquidityVault,
    driftState: DRIFT_STATE,
    integrationAcc2: integrationAccountOf(bank, 1),
    integrationAcc3: integrationAccountOf(bank, 2),
    integrationAcc1: venueAccountOf(bank),
    driftSpotMarketVault: market.vault,
    mint: bank.mint,
    driftProgram: DRIFT_PROGRAM,
    tokenProgram,
    systemProgram: SYSTEM_PROGRAM,
  };
}

/** The markets in which the bank's user was given rewards, which a withdrawal has to name. */
async function rewardMarketsOf(bank: P0Bank, read: ReadAccount): Promise<readonly Address[]> {
  const { spotPositions } = readVenueAccount(driftUser, bank, integrationAccountOf(bank, 1), read);
  const rewards = spotPositions
    .slice(FIRST_REWARD_POSITION)
    .filter(({ scaledBalance, balanceType }) => scaledBalance > 0n && balanceType === DEPOSIT);
  return Promise.all(rewards.map(({ marketIndex }) => addressOf(findDriftSpotMarket(marketIndex))));
}

function oracleOf({ oracle, oracleSource }: DriftSpotMarket): Address | null {
  return oracleSource === QUOTE_ASSET ? null : oracle;
}

function readMarket(bank: P0Bank, read: ReadAccount): DriftSpotMarket {
  return readVenueAccount(driftMarket, bank, venueAccountOf(bank), read);
}
