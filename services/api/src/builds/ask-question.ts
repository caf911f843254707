import type { ReadQuestion } from '@lending/transactions';
import type { BuildDeps } from './build-deps.ts';
import type { BuildRequest } from './build-request.ts';
import type { KnownAction } from './read-action.ts';

/** What to read for a request: the accounts and banks that the tables know stand in it as hints. */
export async function askQuestion(
  { tables, program, group, lookupTables }: BuildDeps,
  request: BuildRequest,
  known: KnownAction | null,
): Promise<ReadQuestion> {
  const { authority, account, accountIndex } = request;
  const hints = await hintsFor(tables, request);
  const action = known === null ? null : { kind: known.action.kind, bank: known.action.bank };
  return { program, group, authority, account, accountIndex, action, lookupTables, ...hints };
}

type Hints = Pick<ReadQuestion, 'knownAccounts' | 'heldBanks'>;

async function hintsFor(tables: BuildDeps['tables'], { authority, account }: BuildRequest): Promise<Hints> {
  if (account !== null) return { knownAccounts: [], heldBanks: (await tables.banksOfAccount(account)) ?? [] };
  const accounts = await tables.accountsOf(authority);
  return {
    knownAccounts: accounts.map(({ address }) => address),
    // Of several accounts none is taken, so what they hold need not be read.
    heldBanks: accounts.length === 1 ? (accounts[0]?.banks ?? []) : [],
  };
}
