import { isLendingError, LendingError } from '@lending/errors';
import type { ReadQuestion } from '@lending/transactions';
import { accountFilters } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { BuildDeps } from './build-deps.ts';

/** Several are as many as can be told from each other by nobody: of a wallet with more the first will do. */
const MOST_ACCOUNTS = 100;

type AskDeps = Pick<BuildDeps, 'chain' | 'tables' | 'program' | 'programWatch' | 'relaxed' | 'group' | 'lookupTables'>;

/** Whose account it is: the one that was named, the one an earlier build chose, or the only one. */
type Whose = Pick<ReadQuestion, 'authority' | 'account' | 'accountIndex'>;
/** Banks that are acted on, and whether an account is opened. */
type Subject = Pick<ReadQuestion, 'banks' | 'opens'>;

export interface AskedQuestion<S extends Subject> {
  readonly question: ReadQuestion & S;
  /** Waves of requests it took: 0, or 1 where the chain had to list the wallet's accounts. */
  readonly waves: number;
}

/**
 * What to read for a request: the accounts and banks that the tables know stand in it as hints. Where the tables may lack accounts of the
 * wallet, the chain lists them: an account at no derived address would not be seen, and a deposit would open a second one.
 * @throws CHAIN__RPC_UNAVAILABLE, CHAIN__RPC_TIMED_OUT where the chain has to be asked and does not answer, DATA__UNAVAILABLE where it lists
 * no accounts.
 */
export async function askQuestion<S extends Subject>(
  deps: AskDeps,
  { authority, account, accountIndex }: Whose,
  subject: S,
  signal?: AbortSignal,
): Promise<AskedQuestion<S>> {
  const { program, group, lookupTables } = deps;
  const whose = { authority, account, accountIndex };
  const [version, { waves, ...hints }] = await Promise.all([
    deps.programWatch.version(signal),
    hintsFor(deps, whose, subject.opens, signal),
  ]);
  const relaxed = deps.relaxed();
  return { question: { program, version, relaxed, group, lookupTables, ...whose, ...subject, ...hints }, waves };
}

type Hints = Pick<ReadQuestion, 'knownAccounts' | 'heldBanks'> & { readonly waves: number };

async function hintsFor(
  deps: AskDeps,
  { authority, account, accountIndex }: Whose,
  opens: Subject['opens'],
  signal?: AbortSignal,
): Promise<Hints> {
  const { tables } = deps;
  if (account !== null) return { knownAccounts: [], heldBanks: (await tables.banksOfAccount(account)) ?? [], waves: 0 };
  // A new account lies at a derived address, whatever else the wallet has.
  if (opens === 'always' || accountIndex !== null) return { knownAccounts: [], heldBanks: [], waves: 0 };
  const { accounts, isComplete } = await tables.accountsOf(authority);
  const addresses = accounts.map(({ address }) => address);
  // Of several accounts none is taken, so what they hold need not be read.
  const heldBanks = accounts.length === 1 ? (accounts[0]?.banks ?? []) : [];
  if (isComplete || accounts.length > 1) return { knownAccounts: addresses, heldBanks, waves: 0 };
  const listed = await listAccounts(deps, authority, signal);
  return { knownAccounts: [...new Set([...addresses, ...listed])], heldBanks, waves: 1 };
}

async function listAccounts(
  { chain, program, group }: AskDeps,
  authority: Address,
  signal?: AbortSignal,
): Promise<readonly Address[]> {
  try {
    const { addresses } = await chain.listProgramAccounts(program, accountFilters(group, authority), {
      minContextSlot: 'highest-seen',
      ...(signal === undefined ? {} : { signal }),
    });
    return addresses.slice(0, MOST_ACCOUNTS);
  } catch (error) {
    if (!isLendingError(error, 'CHAIN__RPC_INVALID')) throw error;
    throw new LendingError('DATA__UNAVAILABLE', {
      message:
        'Which lending accounts the wallet has is not known yet, and the node does not list them — allowed: the same call in a few seconds, or with account — pass account, which svc_get_positions lists',
      context: { field: 'account' },
      cause: error,
    });
  }
}
