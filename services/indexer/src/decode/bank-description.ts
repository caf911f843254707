import { describeError } from '@lending/errors';
import type { BankUpdated, RejectionReason } from '@lending/events';
import { type AccountBytes, type BankText, decodeBank, decodeBankMetadata, readTokenProgram } from '@lending/venues';
import type { Address } from '@solana/kit';
import { describeBank } from './describe-bank.ts';
import { rejectionReasonOf } from './rejection-reason.ts';

/** What one bank is, or why that cannot be said, as of one slot. */
export interface BankDescription {
  readonly bank: Address;
  readonly slot: bigint;
  readonly unixTimestamp: bigint;
  readonly result:
    | { readonly kind: 'described'; readonly description: BankUpdated }
    | {
        readonly kind: 'rejected';
        readonly reason: RejectionReason;
        /** What was wrong with the account, for the log. */
        readonly detail: string;
      }
    /** The mint that the bank names was not among the accounts that were read: they have to be read again. */
    | { readonly kind: 'unfinished' };
}

/** The accounts that say what a bank is; null where there is none. */
export interface BankAccounts {
  readonly bank: AccountBytes | null;
  readonly metadata: AccountBytes | null;
  readonly mint: AccountBytes | null;
  /** Which mint was asked for; null when the bank could not be read before. */
  readonly mintAddress: Address | null;
}

/** Says what a bank is from its accounts. Never throws: what cannot be read is a result too. */
export function describeAccounts(accounts: BankAccounts, program: Address): BankDescription['result'] {
  if (accounts.bank === null) return { kind: 'rejected', reason: 'account_gone', detail: 'the account is gone' };
  try {
    const bank = decodeBank(accounts.bank, program);
    if (bank.mint !== accounts.mintAddress) return { kind: 'unfinished' };
    const text = readText(accounts.metadata, program);
    return { kind: 'described', description: describeBank(bank, readTokenProgram(accounts.mint), text) };
  } catch (error) {
    return { kind: 'rejected', reason: rejectionReasonOf(error), detail: describeError(error) };
  }
}

/** The mint a bank names; null when the bank cannot be read. */
export function mintOf(account: AccountBytes | null, program: Address): Address | null {
  try {
    return account === null ? null : decodeBank(account, program).mint;
  } catch {
    return null;
  }
}

/** Metadata is decoration: one that cannot be read is as good as none. */
function readText(account: AccountBytes | null, program: Address): BankText | null {
  try {
    return account === null ? null : decodeBankMetadata(account, program);
  } catch {
    return null;
  }
}
