import type { BuildTables, KnownBank } from '@lending/api';
import { ASSET_TAG, symbolOfKnownMint } from '@lending/domain';
import type { Ledger } from '@lending/localnet';
import { bankLayout, MARGINFI_PROGRAM, marginfiAccountLayout, placeOf } from '@lending/programs';
import { decodeBank, decodeMarginfiAccount, type P0Bank } from '@lending/venues';
import { type Address, getAddressEncoder } from '@solana/kit';
import { startsWith } from './starts-with.ts';

const AUTHORITY_OFFSET = placeOf(marginfiAccountLayout, 'authority').offset;

/** Tables that are never behind: they look at the confirmed chain itself. */
export function createLedgerTables(ledger: Ledger): BuildTables {
  const bankAt = (address: Address): P0Bank | null => {
    const state = ledger.account(address, 'confirmed');
    const isBank = state?.owner === MARGINFI_PROGRAM && startsWith(state.data, bankLayout.discriminator);
    return state !== undefined && isBank ? decodeBank({ address, ...state }, MARGINFI_PROGRAM) : null;
  };
  const allBanks = () => listBanks(ledger).map(toKnownBank);
  const accountAt = (address: Address) => {
    const state = ledger.account(address, 'confirmed');
    const isAccount = state?.owner === MARGINFI_PROGRAM && startsWith(state.data, marginfiAccountLayout.discriminator);
    return state !== undefined && isAccount ? decodeMarginfiAccount({ address, ...state }, MARGINFI_PROGRAM) : null;
  };
  return {
    async findBank(address) {
      const bank = bankAt(address as Address);
      return bank === null ? null : toKnownBank(bank);
    },
    findBanksLike: async (text) =>
      allBanks().filter(({ symbol, mint }) => symbol.toLowerCase() === text.toLowerCase() || mint === text),
    listBorrowable: async (mint) => allBanks().filter((bank) => bank.mint === mint && bank.isBorrowable),
    listPairs: async () => [],
    async accountsOf(authority) {
      const key = Buffer.from(getAddressEncoder().encode(authority));
      const found: { address: Address; banks: readonly Address[] }[] = [];
      for (const [address, { data }] of ledger.accountsOwnedBy(MARGINFI_PROGRAM, 'confirmed')) {
        if (!startsWith(data, marginfiAccountLayout.discriminator)) continue;
        if (key.compare(data, AUTHORITY_OFFSET, AUTHORITY_OFFSET + 32) !== 0) continue;
        const account = accountAt(address);
        const isGone = account === null || account.flags.isDisabled;
        if (!isGone) found.push({ address, banks: account.balances.map(({ bank }) => bank) });
      }
      return { accounts: found, isComplete: true };
    },
    banksOfAccount: async (address) => accountAt(address)?.balances.map(({ bank }) => bank) ?? null,
  };
}

/** Every bank on the confirmed chain. */
export function listBanks(ledger: Ledger): readonly P0Bank[] {
  const banks: P0Bank[] = [];
  for (const [address, state] of ledger.accountsOwnedBy(MARGINFI_PROGRAM, 'confirmed'))
    if (startsWith(state.data, bankLayout.discriminator))
      banks.push(decodeBank({ address, ...state }, MARGINFI_PROGRAM));
  return banks;
}

function toKnownBank(bank: P0Bank): KnownBank {
  const { address, venue, mint, decimals, assetTag, operationalState } = bank;
  const symbol = symbolOfKnownMint(mint) ?? mint.slice(0, 4);
  const isBorrowable = venue === 'p0' && assetTag !== ASSET_TAG.staked;
  return { address, symbol, venue, mint, decimals, isBorrowable, operationalState };
}
