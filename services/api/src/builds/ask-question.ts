import { isLendingError, LendingError } from '@lending/errors';
import { askFor, type ReadQuestion } from '@lending/transactions';
import { accountFilters } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { BuildDeps } from './build-deps.ts';
import type { ActionRequest } from './build-request.ts';
import type { KnownAction } from './read-action.ts';

/** Several are as many as can be told from each other by nobody: of a wallet with more the first will do. */
const MOST_ACCOUNTS = 100;

type AskDeps = Pick<BuildDeps, 'chain' | 'tables' | 'program' | 'group' | 'lookupTables'>;

export interface AskedQuestion {
  readonly question: ReadQuestion;
  /** Waves of requests it took: 0, or 1 where the chain had to list the wallet's accounts. */
  readonly waves: number;
}

/**
 * What to read for a request: the accounts and banks that the tables know stand in it as hints. Where the tables may lack accounts of the
 * wallet, the chain lists them: an account at no derived address would not be seen, and a deposit would open a second one.
 * @throws CHAIN__RPC_UNAVAILABLE, CHAIN__RPC_TIMED_OUT where the chain has to be asked and does not answer, DATA__UNAVAILABLE where it lists
 * no accounts.
 */
export async function askQuestion(
  deps: AskDeps,
  request: ActionRequest,
  known: KnownAction | null,
  signal?: AbortSignal,
): Promise<AskedQuestion> {
  const { program, group, lookupTables } = deps;
  const { authority, account, accountIndex } = request;
  const { waves, ...hints } = await hintsFor(deps, request, signal);
  const asked = askFor(known?.action ?? null);
  return { question: { program, group, authority, account, accountIndex, lookupTables, ...asked, ...hints }, waves };
}

type Hints = Pick<ReadQuestion, 'knownAccounts' | 'heldBanks'> & Pick<AskedQuestion, 'waves'>;

async function hintsFor(deps: AskDeps, request: ActionRequest, signal?: AbortSignal): Promise<Hints> {
  const { tables } = deps;
  const { authority, account, kind, accountIndex } = request;
  if (account !== null) return { knownAccounts: [], heldBanks: (await tables.banksOfAccount(account)) ?? [], waves: 0 };
  // A new account lies at a derived address, whatever else the wallet has.
  if (kind === 'create_account' || accountIndex !== null) return { knownAccounts: [], heldBanks: [], waves: 0 };
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
