import { symbolOfKnownMint } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import {
  type ActionState,
  askFor,
  type LendingActionKind,
  readActionState,
  type SimulationOutcome,
} from '@lending/transactions';
import { address as toAddress } from '@solana/kit';
import type { BuildDeps } from '../build-deps.ts';
import type { KnownPlan } from '../find-plan.ts';
import { describeOutcome, type Outcome } from './describe-outcome.ts';

const KINDS: Readonly<Record<string, LendingActionKind>> = {
  DEPOSIT: 'deposit',
  WITHDRAW: 'withdraw',
  BORROW: 'borrow',
  REPAY: 'repay',
};

/**
 * What a plan's account, bank and wallet are now.
 * @returns null where they cannot be told any more, because the account was closed, or made by somebody else's transaction.
 */
export async function stateOfPlan(
  deps: Pick<BuildDeps, 'chain' | 'banks' | 'program' | 'group'>,
  { row, envelope }: KnownPlan,
  signal: AbortSignal,
): Promise<ActionState | null> {
  const kind = KINDS[envelope.transactions[envelope.action_tx_index]?.type ?? ''];
  const bank = envelope.simulation.rates_after?.bank;
  const isNew = row.new_account_index !== null;
  const question = {
    program: deps.program,
    group: deps.group,
    authority: toAddress(row.authority),
    account: isNew ? null : toAddress(row.account),
    accountIndex: row.new_account_index,
    knownAccounts: [],
    heldBanks: [],
    ...askFor(kind === undefined || bank === undefined ? null : { kind, bank: toAddress(bank) }),
    lookupTables: [],
  };
  try {
    return await readActionState(deps.chain, deps.banks, question, { signal });
  } catch (error) {
    if (isLendingError(error) && !error.isRetryable) return null;
    throw error;
  }
}

/** What a simulation of a plan that passed says now, in the words of a build. */
export async function outcomeOfPlan(
  state: ActionState,
  passed: Extract<SimulationOutcome, { readonly kind: 'passed' }>,
  slotMicros: bigint,
): Promise<Outcome> {
  const symbol = state.target === null ? null : symbolOfKnownMint(state.target.mint.address);
  return describeOutcome(state, passed, { symbol, slotMicros });
}
