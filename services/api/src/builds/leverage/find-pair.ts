import { LendingError } from '@lending/errors';
import { type AccountSides, type ActionState, readActionState, sidesOf } from '@lending/transactions';
import type { Address } from '@solana/kit';
import { askQuestion } from '../ask-question.ts';
import type { BuildDeps, KnownBank } from '../build-deps.ts';
import type { LeverageRequest } from '../build-request.ts';
import { assertBorrowable, assertNotSuspended, findBank } from '../find-bank.ts';

export interface KnownPair {
  readonly deposit: KnownBank;
  readonly borrow: KnownBank;
  /** The account where finding the banks told which one it is; null where that is still open. */
  readonly account: Address | null;
  /** Waves of requests that finding them took: none where both were named and the tables know them. */
  readonly waves: number;
}

export interface PairOptions {
  readonly callName: string;
  readonly signal?: AbortSignal;
}

/**
 * Finds both banks. On a close one that was left out is the only one of its side that the account holds.
 * @throws READ__BANK_NOT_FOUND, ACTION__BORROW_UNSUPPORTED, ACTION__BANK_UNAVAILABLE (a suspended venue), TOOL__INPUT_INVALID (one bank
 * twice; left out where several, or none, would do, with the candidates), and what reading an account throws.
 */
export async function findPair(deps: BuildDeps, request: LeverageRequest, options: PairOptions): Promise<KnownPair> {
  const { depositBank, borrowBank, account, waves } = await nameBanks(deps, request, options);
  const { callName, signal } = options;
  if (depositBank === borrowBank) {
    throw invalidBank('borrow_bank', 'is the deposit_bank too', 'another bank than deposit_bank', callName, []);
  }
  const deposit = await findBank(deps, depositBank, signal);
  const borrow = await findBank(deps, borrowBank, signal);
  const deed = request.kind === 'loop' ? 'borrowed from' : 'owed to';
  await assertBorrowable(deps, borrow.bank, { deed, callName });
  for (const { bank } of [deposit, borrow]) assertNotSuspended(bank, request.kind, callName);
  return {
    deposit: deposit.bank,
    borrow: borrow.bank,
    account,
    // Two that the tables lack are asked for one after the other: it happens once in the life of a bank.
    waves: waves + deposit.waves + borrow.waves,
  };
}

interface NamedBanks extends Pick<KnownPair, 'account' | 'waves'> {
  readonly depositBank: Address;
  readonly borrowBank: Address;
}

async function nameBanks(deps: BuildDeps, request: LeverageRequest, options: PairOptions): Promise<NamedBanks> {
  const { depositBank, borrowBank } = request;
  if (depositBank !== null && borrowBank !== null) return { depositBank, borrowBank, account: null, waves: 0 };
  const { sides, state, waves } = await readSides(deps, request, options);
  return {
    depositBank: depositBank ?? onlyOf(sides, 'collateral', options.callName),
    borrowBank: borrowBank ?? onlyOf(sides, 'debt', options.callName),
    account: state.account.address,
    waves,
  };
}

/**
 * What the account of a request has and owes, for banks that it does not name.
 * @throws what reading an account throws.
 */
export async function readSides(
  deps: BuildDeps,
  request: LeverageRequest,
  { signal }: Pick<PairOptions, 'signal'>,
): Promise<{ readonly sides: AccountSides; readonly state: ActionState; readonly waves: number }> {
  const subject = { banks: [], opens: 'never' } as const;
  const { question, waves } = await askQuestion(deps, request, subject, signal);
  const state = await readActionState(deps.chain, deps.banks, question, signal === undefined ? {} : { signal });
  return { sides: sidesOf(state), state, waves: waves + state.waves };
}

const FIELDS = { collateral: 'deposit_bank', debt: 'borrow_bank' } as const;

/**
 * The only bank of a side.
 * @throws TOOL__INPUT_INVALID with the candidates where there are several, or none.
 */
export function onlyOf(sides: AccountSides, side: keyof AccountSides, callName: string): Address {
  const [only, ...others] = sides[side];
  if (only !== undefined && others.length === 0) return only;
  const wrong = only === undefined ? `is missing, and the account has no ${side}` : 'is missing, and several banks fit';
  const allowed = only === undefined ? 'an account that owes and has collateral' : 'one of details.candidates';
  throw invalidBank(FIELDS[side], wrong, allowed, callName, sides[side]);
}

function invalidBank(
  field: string,
  wrong: string,
  allowed: string,
  callName: string,
  candidates: readonly Address[],
): LendingError {
  return new LendingError('TOOL__INPUT_INVALID', {
    message: `${field} ${wrong} — allowed: ${allowed} — correct it and call ${callName} again`,
    context: { field, allowed, candidates: candidates.map((bank) => ({ bank })) },
  });
}
