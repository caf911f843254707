import { symbolOfKnownMint } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import { NEWEST_VERSION } from '@lending/programs';
import { type ActionState, type ReadQuestion, readActionState, readState } from '@lending/transactions';
import { type Address, address as toAddress } from '@solana/kit';
import type { Build } from '../build.ts';
import type { BuildDeps } from '../build-deps.ts';
import type { KnownPlan } from '../find-plan.ts';
import { type PassedSimulation, readAfter } from './account-after.ts';
import { judgeHealth } from './judge-health.ts';
import { nearTheLine } from './near-the-line.ts';
import { type TokensBefore, tokenChanges } from './token-changes.ts';

/** What a plan's account and wallet are now, with the tokens of its banks. */
export interface PlanState
  extends Pick<ActionState, 'account' | 'accounts' | 'program' | 'group' | 'relaxed' | 'authority' | 'lamports'> {
  readonly tokens: readonly TokensBefore[];
}

/**
 * What a plan's account, banks and wallet are now.
 * @returns null where they cannot be told any more, because the account was closed, or made by somebody else's transaction.
 */
export async function stateOfPlan(
  deps: Pick<BuildDeps, 'chain' | 'banks' | 'program' | 'relaxed' | 'group'>,
  plan: KnownPlan,
  signal: AbortSignal,
): Promise<PlanState | null> {
  const question = questionOf(deps, plan);
  const [bank, other] = question.banks;
  try {
    if (bank === undefined || other === undefined) {
      const state = await readActionState(deps.chain, deps.banks, question, { signal });
      const { target, walletTokens } = state;
      return { ...state, tokens: target === null || walletTokens === null ? [] : [named(target, walletTokens)] };
    }
    const { targets, ...state } = await readState(deps.chain, deps.banks, question, { signal });
    return { ...state, tokens: targets.map(({ live, tokens }) => named(live, tokens)) };
  } catch (error) {
    if (isLendingError(error) && !error.isRetryable) return null;
    throw error;
  }
}

/** What a simulation of a plan that passed says now, in the words of a build. */
export function outcomeOfPlan(
  state: PlanState,
  passed: PassedSimulation,
): Pick<Build, 'preHealth' | 'postHealth' | 'tokenChanges' | 'warnings'> {
  const { account, accounts, tokens } = state;
  const after = readAfter(state, passed);
  const postHealth = judgeHealth(after.account, after.accounts, state);
  return {
    preHealth: judgeHealth(account.state, accounts, state),
    postHealth,
    tokenChanges: tokenChanges(state, tokens, after.accounts),
    warnings: nearTheLine(postHealth),
  };
}

function questionOf(
  { program, relaxed, group }: Pick<BuildDeps, 'program' | 'relaxed' | 'group'>,
  { row, envelope }: KnownPlan,
): ReadQuestion {
  const { position, rates_after: rates } = envelope.simulation;
  const named =
    position === undefined
      ? [rates?.bank]
      : [position.deposit_bank, ...(position.borrow_banks ?? [position.borrow_bank])];
  const banks: readonly Address[] = named.flatMap((bank) => (bank === undefined ? [] : [toAddress(bank)]));
  const isNew = row.new_account_index !== null;
  return {
    program,
    // Nothing is built of it.
    version: NEWEST_VERSION,
    relaxed: relaxed(),
    group,
    authority: toAddress(row.authority),
    account: isNew ? null : toAddress(row.account),
    accountIndex: row.new_account_index,
    knownAccounts: [],
    heldBanks: [],
    banks,
    // What the plan was to open may be there by now; without a bank that was all it was to do.
    opens: banks.length === 0 ? 'always' : isNew ? 'where_missing' : 'never',
    lookupTables: [],
  };
}

function named(live: TokensBefore['live'], tokens: TokensBefore['tokens']): TokensBefore {
  return { live, tokens, symbol: symbolOfKnownMint(live.mint.address) };
}
