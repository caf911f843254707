import type { LendingAction } from '@lending/transactions';
import type { BuildDeps, KnownBank } from './build-deps.ts';
import type { ActionRequest } from './build-request.ts';
import { assertBorrowable, assertNotSuspended, findBank } from './find-bank.ts';
import { readAmount } from './read-amount.ts';

/** A request's bank, and what is done there in base units. */
export interface KnownAction {
  readonly bank: KnownBank;
  readonly action: LendingAction;
  /** Waves of requests that finding the bank took: 0, or 1 for one the tables lacked. */
  readonly waves: number;
}

/**
 * Finds the bank and reads the amount; null for a request without a bank.
 * @throws READ__BANK_NOT_FOUND, ACTION__BORROW_UNSUPPORTED, ACTION__BANK_UNAVAILABLE (the venue behind it is suspended) before anything
 * is asked of the chain, and TOOL__INPUT_INVALID for an amount that the mint has no units for.
 */
export async function readAction(
  deps: BuildDeps,
  request: ActionRequest,
  callName: string,
  signal?: AbortSignal,
): Promise<KnownAction | null> {
  const { kind, bank: address, amount } = request;
  if (kind === 'create_account' || address === null || amount === null) return null;
  const { bank, waves } = await findBank(deps, address, signal);
  if (kind === 'borrow' || kind === 'repay') {
    await assertBorrowable(deps, bank, { deed: kind === 'borrow' ? 'borrowed from' : 'owed to', callName });
  }
  assertNotSuspended(bank, kind, callName);
  const base = amount === 'all' ? 'all' : readAmount({ ...request, amount }, bank, callName);
  return { bank, action: { kind, bank: bank.address, amount: base }, waves };
}
