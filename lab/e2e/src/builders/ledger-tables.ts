import type { BuildTables, KnownBank } from '@lending/api';
import { ASSET_TAG, symbolOfKnownMint } from '@lending/domain';
import type { AccountState, Ledger } from '@lending/localnet';
import {
  bankLayout,
  MARGINFI_PROGRAM,
  marginfiAccountLayout,
  PYTH_RECEIVER_PROGRAM,
  placeOf,
  priceUpdateV2Layout,
  pullFeedLayout,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
} from '@lending/programs';
import { decodeBank, decodeMarginfiAccount, type P0Account, type P0Bank } from '@lending/venues';
import { type Address, getAddressEncoder } from '@solana/kit';

const AUTHORITY_OFFSET = placeOf(marginfiAccountLayout, 'authority').offset;

interface Head {
  /** What its bytes begin with. */
  readonly discriminator: Uint8Array;
}

/** Tables that are never behind: they look at the confirmed chain itself. */
export function createLedgerTables(ledger: Ledger): BuildTables {
  const allBanks = () => listBanks(ledger).map(toKnownBank);
  return {
    async findBank(address) {
      const state = ledger.account(address as Address, 'confirmed');
      const isBank = state?.owner === MARGINFI_PROGRAM && isOf(bankLayout, state);
      return isBank ? toKnownBank(decodeBank({ address: address as Address, ...state }, MARGINFI_PROGRAM)) : null;
    },
    findBanksLike: async (text) =>
      allBanks().filter(({ symbol, mint }) => symbol.toLowerCase() === text.toLowerCase() || mint === text),
    listBorrowable: async (mint) => allBanks().filter((bank) => bank.mint === mint && bank.isBorrowable),
    listPairs: async () => [],
    async accountsOf(authority) {
      const own = listAccountsOf(ledger, authority);
      return {
        accounts: own.map(({ address, balances }) => ({ address, banks: banksOf(balances) })),
        isComplete: true,
      };
    },
    async banksOfAccount(address) {
      const account = readAccount(ledger, address, 'confirmed');
      return account === null ? null : banksOf(account.balances);
    },
  };
}

/** A lending account; null where there is none. */
export function readAccount(ledger: Ledger, address: Address, at?: 'confirmed'): P0Account | null {
  const state = ledger.account(address, at);
  const isAccount = state?.owner === MARGINFI_PROGRAM && isOf(marginfiAccountLayout, state);
  return isAccount ? decodeMarginfiAccount({ address, ...state }, MARGINFI_PROGRAM) : null;
}

/** The lending accounts of a wallet on the confirmed chain, without those that are closed for good. */
export function listAccountsOf(ledger: Ledger, authority: Address): readonly P0Account[] {
  const key = Buffer.from(getAddressEncoder().encode(authority));
  return listOf(ledger, MARGINFI_PROGRAM, marginfiAccountLayout)
    .filter(([, { data }]) => key.compare(data, AUTHORITY_OFFSET, AUTHORITY_OFFSET + 32) === 0)
    .map(([address, state]) => decodeMarginfiAccount({ address, ...state }, MARGINFI_PROGRAM))
    .filter(({ flags }) => !flags.isDisabled);
}

/** Every bank on the confirmed chain. */
export function listBanks(ledger: Ledger): readonly P0Bank[] {
  const found = listOf(ledger, MARGINFI_PROGRAM, bankLayout);
  return found.map(([address, state]) => decodeBank({ address, ...state }, MARGINFI_PROGRAM));
}

/** Every price feed on the confirmed chain. */
export function listFeeds(ledger: Ledger): readonly Address[] {
  const feeds = [
    ...listOf(ledger, PYTH_RECEIVER_PROGRAM, priceUpdateV2Layout),
    ...listOf(ledger, SWITCHBOARD_ON_DEMAND_PROGRAM, pullFeedLayout),
  ];
  return feeds.map(([address]) => address);
}

/** Accounts of a program whose bytes begin with a discriminator, on the confirmed chain. */
export function listOf(ledger: Ledger, program: Address, head: Head): readonly (readonly [Address, AccountState])[] {
  return [...ledger.accountsOwnedBy(program, 'confirmed')].filter(([, state]) => isOf(head, state));
}

export function isOf({ discriminator }: Head, { data }: AccountState): boolean {
  return discriminator.every((byte, index) => data[index] === byte);
}

const banksOf = (balances: P0Account['balances']) => balances.map(({ bank }) => bank);

function toKnownBank(bank: P0Bank): KnownBank {
  const { address, venue, mint, decimals, assetTag, operationalState } = bank;
  const symbol = symbolOfKnownMint(mint) ?? mint.slice(0, 4);
  const isBorrowable = venue === 'p0' && assetTag !== ASSET_TAG.staked;
  return { address, symbol, venue, mint, decimals, isBorrowable, operationalState };
}
