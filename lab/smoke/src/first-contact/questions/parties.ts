import { type BankParty, healthAccounts } from '@lending/transactions';
import type { P0Account, P0Bank } from '@lending/venues';
import { type Address, address } from '@solana/kit';
import { banksOf } from '#first-contact/pulse.ts';
import type { Market } from '../market.ts';

/** An account's owner at a bank. Tokens come and go by the bank's own fee vault, which is an account of the mint that exists. */
export function partyAt({ program, version, read }: Market, account: P0Account, bank: P0Bank): BankParty {
  return {
    ...{ program, version, bank, authority: account.authority, account: account.address },
    tokenAccount: bank.feeVault,
    tokenProgram: read(bank.mint)?.owner ?? address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
  };
}

/** The list for a health check, as it stands after the instruction; null where a bank cannot be read. */
export function healthListOf(
  market: Market,
  account: P0Account,
  added: readonly P0Bank[] = [],
): readonly Address[] | null {
  const banks = banksOf(market, account);
  return banks === null ? null : healthAccounts([...new Set([...banks, ...added])]);
}
