import { isLendingError, LendingError } from '@lending/errors';
import {
  isLookupFailure,
  type LookupTables,
  type OwedDebt,
  type OwedDebts,
  owedDebts,
  partsOf,
} from '@lending/transactions';
import type { Address } from '@solana/kit';
import type { LeverageDeps } from '../build-deps.ts';
import type { LeverageRequest } from '../build-request.ts';
import { findBank } from '../find-bank.ts';
import { findFailedTables, withoutTables } from '../read-tables.ts';
import { callsFor, overCap, overSize } from './close-calls.ts';
import { depsAfter } from './deps-after.ts';
import type { LeverageOptions } from './draft-leverage.ts';
import { onlyOf, readSides } from './find-pair.ts';
import { type PassedDraft, passDraft } from './pass-draft.ts';

export interface DraftedCloses {
  /** In the order they land; more than one of a close of several debts only. */
  readonly drafts: readonly PassedDraft[];
  /** Besides those of the drafts. */
  readonly waves: number;
}

/**
 * Drafts a loop, or a close, whose simulation passes; of a close of all debts that names none one for each debt, the most valuable first.
 * @throws as `passDraft` does; of several debts ACTION__REPAY_EXCEEDED and ACTION__TRANSACTION_EXCEEDED with the calls that repay them.
 */
export async function draftCloses(
  deps: LeverageDeps,
  request: LeverageRequest,
  options: LeverageOptions,
): Promise<DraftedCloses> {
  const { kind, amount, borrowBank } = request;
  if (kind === 'loop' || amount !== 'all' || borrowBank !== null) {
    return { drafts: [await passDraft(deps, request, options)], waves: 0 };
  }
  const { sides, state, waves } = await readSides(deps, request, options);
  const depositBank = request.depositBank ?? onlyOf(sides, 'collateral', options.callName);
  const account = state.account.address;
  const [only, ...others] = sides.debt;
  if (only === undefined || others.length === 0) {
    const bank = onlyOf(sides, 'debt', options.callName);
    return { drafts: [await passDraft(deps, { ...request, account, depositBank, borrowBank: bank }, options)], waves };
  }
  const closes = { ...request, account, depositBank };
  return { drafts: await draftEach(deps, closes, owedDebts(state), options), waves };
}

/** A close of several debts: the account and the collateral are known. */
type ClosesRequest = LeverageRequest & { readonly account: Address; readonly depositBank: Address };

/** Closes whose lookups fail are drafted once more from the first: a later one is simulated behind those before it, with their tables. */
async function draftEach(
  deps: LeverageDeps,
  request: ClosesRequest,
  { debts, isWithinCap }: OwedDebts,
  options: LeverageOptions,
): Promise<readonly PassedDraft[]> {
  if (!isWithinCap) throw overCap(await callsForAll(deps, request, debts, options.signal));
  const drafts: PassedDraft[] = [];
  try {
    await draftInOrder(drafts, deps, request, debts, options);
    return drafts;
  } catch (error) {
    if (drafts.length === 0 || !isOfLookup(error)) throw error;
    const used: LookupTables = Object.assign({}, ...drafts.map(({ draft }) => draft.lookupTables));
    const failed = await findFailedTables(deps, used, options.signal);
    const again: PassedDraft[] = [];
    await draftInOrder(again, withoutTables(deps, failed), request, debts, options);
    return again;
  }
}

function isOfLookup(error: unknown): boolean {
  if (!isLendingError(error)) return false;
  const { reason } = (error.context.cause ?? {}) as { readonly reason?: unknown };
  return typeof reason === 'string' && isLookupFailure({ reason });
}

/** Adds the drafts of the debts to those given, each as soon as its simulation passed. */
async function draftInOrder(
  drafts: PassedDraft[],
  deps: LeverageDeps,
  request: ClosesRequest,
  debts: readonly OwedDebt[],
  options: LeverageOptions,
): Promise<void> {
  const callsOf = () => callsForAll(deps, request, debts, options.signal);
  let here = deps;
  for (const [index, { bank }] of debts.entries()) {
    const close = { ...request, borrowBank: bank };
    const inBundle = { earlier: drafts.map(({ draft }) => draft), isLast: index === debts.length - 1 };
    const passed = await passDraft(here, close, { ...options, inBundle }).catch(async (error: unknown) => {
      if (!isLendingError(error)) throw error;
      // A crank may bring a price at which one debt alone is above the cap.
      if (error.context.cap_usd !== undefined) throw overCap(await callsOf());
      if (error.code !== 'ACTION__TRANSACTION_EXCEEDED') throw ofDebt(error, bank);
      // What is too large by itself is that in a call of its own, too: then its own refusal says what to change.
      if (error.context.transactions === undefined) await passDraft(here, close, options);
      throw overSize(error, await callsOf());
    });
    drafts.push(passed);
    here = depsAfter(here, passed);
  }
}

/** The refusal of one of several debts, with the bank that it is of. */
function ofDebt(error: LendingError, borrowBank: Address): LendingError {
  const { code, message, context } = error;
  return new LendingError(code, { message, context: { borrow_bank: borrowBank, ...context }, cause: error });
}

async function callsForAll(
  deps: LeverageDeps,
  request: ClosesRequest,
  debts: readonly OwedDebt[],
  signal?: AbortSignal,
) {
  const { bank: deposit } = await findBank(deps, request.depositBank, signal);
  const calls = [];
  for (const [index, { bank, owedBase, maxBase }] of debts.entries()) {
    const { bank: borrow } = await findBank(deps, bank, signal);
    const debt = { request, account: request.account, deposit, borrow };
    calls.push(...callsFor(debt, partsOf(owedBase, maxBase), index === debts.length - 1));
  }
  return calls;
}
