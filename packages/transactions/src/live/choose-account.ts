import { isLendingError, LendingError } from '@lending/errors';
import { SYSTEM_PROGRAM } from '@lending/programs';
import { decodeMarginfiAccount, type P0Account } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { ChosenAccount } from './action-state.ts';
import type { ReadAccount } from './live-accounts.ts';
import type { ReadQuestion } from './read-question.ts';

/** Addresses by the index they are derived from. */
export type DerivedAccounts = ReadonlyMap<number, Address>;

/**
 * The account that is acted on: the one that was asked for, or the only one there is. Where that is so asked, a wallet without any gets one,
 * or every wallet another.
 * @param derived addresses that are free, or taken by accounts of the wallet.
 * @returns null while every one of them is taken, and another is needed.
 * @throws READ__ACCOUNT_NOT_FOUND, READ__ACCOUNT_MISMATCH (several fit), TOOL__INPUT_INVALID (it is somebody else's, or none)
 */
export function chooseAccount(
  question: ReadQuestion,
  derived: DerivedAccounts,
  read: ReadAccount,
): ChosenAccount | null {
  const { account, opens, accountIndex } = question;
  if (account !== null) return existing(readAsked(question, account, read));
  if (accountIndex !== null) {
    const chosen = derived.get(accountIndex);
    const found = chosen === undefined ? null : readOwn(question, chosen, read);
    if (found !== null && opens !== 'always') return existing(found);
    // A plan is built again on its own account, whatever else the wallet has opened since.
    return newAccount(question, derived, read);
  }
  if (opens === 'always') return newAccount(question, derived, read);
  const own = [...new Set([...question.knownAccounts, ...derived.values()])]
    .map((address) => readOwn(question, address, read))
    .filter((found) => found !== null);
  const [only, ...others] = own;
  if (only !== undefined && others.length === 0) return existing(only);
  if (only !== undefined) throw ambiguous(own);
  if (opens === 'where_missing') return newAccount(question, derived, read);
  throw new LendingError('READ__ACCOUNT_NOT_FOUND', {
    message:
      'The wallet has no lending account — allowed: a wallet that has deposited — call svc_deposit first, or pass another `authority`',
    context: { authority: question.authority },
  });
}

function existing(state: P0Account): ChosenAccount {
  return { address: state.address, state, newIndex: null };
}

function newAccount({ accountIndex }: ReadQuestion, derived: DerivedAccounts, read: ReadAccount): ChosenAccount | null {
  const wanted = accountIndex === null ? [...derived.keys()] : [accountIndex];
  for (const index of wanted) {
    const address = derived.get(index);
    if (address !== undefined && isFree(address, read)) return { address, state: null, newIndex: index };
    if (accountIndex !== null) throw taken(address ?? null, index);
  }
  return null;
}

/** Lamports that somebody sent there do not keep the program from creating an account. */
function isFree(address: Address, read: ReadAccount): boolean {
  const account = read(address);
  return account === null || (account?.owner === SYSTEM_PROGRAM && account.data.length === 0);
}

function readAsked(question: ReadQuestion, address: Address, read: ReadAccount): P0Account {
  const bytes = read(address);
  if (!bytes) {
    throw new LendingError('READ__ACCOUNT_NOT_FOUND', {
      message: `No lending account is at ${address}: it was closed, or is not created yet — allowed: an account that svc_get_positions lists — leave \`account\` out, or land the transaction that creates it first`,
      context: { account: address },
    });
  }
  const state = decodeAsked(question, address, read);
  if (state.group !== question.group) {
    throw notYours(address, `belongs to the group ${state.group}, and this service acts in ${question.group}`);
  }
  if (state.authority !== question.authority) {
    throw notYours(address, `belongs to ${state.authority}, not to \`authority\``);
  }
  return state;
}

function decodeAsked({ program }: ReadQuestion, address: Address, read: ReadAccount): P0Account {
  const bytes = read(address);
  try {
    if (bytes) return decodeMarginfiAccount(bytes, program);
  } catch (error) {
    if (isLendingError(error)) throw notYours(address, 'is no lending account of P0', error);
    throw error;
  }
  throw notYours(address, 'is no lending account of P0');
}

/** An account of the wallet in the group that something can still be done with; null for everything else. */
function readOwn({ program, group, authority }: ReadQuestion, address: Address, read: ReadAccount): P0Account | null {
  const bytes = read(address);
  if (!bytes) return null;
  try {
    const state = decodeMarginfiAccount(bytes, program);
    const isUsable = !state.flags.isDisabled && state.migratedTo === null;
    return state.group === group && state.authority === authority && isUsable ? state : null;
  } catch (error) {
    if (isLendingError(error)) return null;
    throw error;
  }
}

function notYours(account: Address, why: string, cause?: unknown): LendingError {
  return new LendingError('TOOL__INPUT_INVALID', {
    message: `The account ${account} ${why} — allowed: a lending account of \`authority\` — pass one that svc_get_positions lists as \`account\`, or leave it out`,
    context: { field: 'account', account },
    ...(cause === undefined ? {} : { cause }),
  });
}

function ambiguous(own: readonly P0Account[]): LendingError {
  return new LendingError('READ__ACCOUNT_MISMATCH', {
    message: `The wallet owns ${own.length} lending accounts — allowed: one of details.accounts — call again with it as \`account\``,
    context: { accounts: own.map(({ address }) => address) },
  });
}

function taken(account: Address | null, index: number): LendingError {
  return new LendingError('TOOL__INPUT_INVALID', {
    message: `The account of index ${index}, which an earlier build of this plan was to create, exists already — allowed: a new \`idempotency_key\` for another account — pass ${account ?? 'it'} as \`account\` to use this one`,
    context: { account, index },
  });
}
