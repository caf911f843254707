import { LendingError } from '@lending/errors';
import type { LeverageState, LiveAccounts, ReadAccount, SizedLeverage } from '@lending/transactions';
import { type AccountBytes, readHolding } from '@lending/venues';
import { type Address, isWritableRole } from '@solana/kit';
import type { BuildFees } from '../build.ts';
import { type AfterSimulation, type PassedSimulation, readAfter } from './account-after.ts';
import { findLendingAccountFault } from './lending-account-fault.ts';
import { type MovedAmounts, movedAmounts } from './moved-amounts.ts';
import { isSolFlow, type PromisedFlow, promisedFlows } from './promised-flows.ts';
import { hasLostRights, isWalletTaken } from './wallet-rights-fault.ts';

/** What a simulated loop or close is held to, by name. */
export type SwapCheck = 'lending_account' | 'wallet_rights' | 'source' | 'destination' | 'lamports' | 'foreign_account';

export interface VerifySwapOptions {
  /** What the transactions cost the wallet besides what they move. */
  readonly fees: BuildFees;
  /** The accounts of `accountsBesideSwap` as they were before; undefined is one that nobody read, which then may hold nothing of the wallet's. */
  readonly read: ReadAccount;
}

/**
 * Accounts that the swap writes and that were not read with the rest: what they hold before it is to be read beside the simulation, so
 * that nothing of the wallet's can leave unseen.
 */
export function accountsBesideSwap(state: LeverageState, sized: SizedLeverage): readonly Address[] {
  return writtenBySwap(state, sized).filter((address) => state.accounts.get(address) === undefined);
}

/**
 * Holds what the simulation of a loop or a close left to what the quote and the plan said: the wallet gave the swap no more than was
 * quoted and got no less than its minimum, nothing else of the wallet's is less or in other hands, its lamports paid for fees and rents alone,
 * and the lending account changed as it was sized.
 * @throws ACTION__SWAP_UNAVAILABLE naming the check in its context, or INTERNAL__UNEXPECTED where nothing was swapped.
 */
export function verifySwap(
  state: LeverageState,
  sized: SizedLeverage,
  passed: PassedSimulation,
  options: VerifySwapOptions,
): void {
  const after = readAfter(state, passed);
  const did: Done = { state, sized, after, moved: movedAmounts(state, after) };
  const fault =
    findRightsFault(state, passed) ??
    findForeignFault(state, sized, passed, options.read) ??
    findFlowFault(did, options.fees) ??
    findAccountFault(did);
  if (fault !== null) throw unkept(sized, fault);
}

/** What was sized, and what became of it. */
interface Done {
  readonly state: LeverageState;
  readonly sized: SizedLeverage;
  readonly after: AfterSimulation;
  readonly moved: MovedAmounts;
}

interface Fault {
  readonly check: SwapCheck;
  readonly words: string;
}

function findRightsFault(
  { authority, accounts, collateral, debt }: LeverageState,
  { after }: PassedSimulation,
): Fault | null {
  if (isWalletTaken(after.get(authority)))
    return { check: 'wallet_rights', words: "the wallet's own account would be another program's" };
  const lost = [collateral, debt].find(({ tokens: { address } }) =>
    hasLostRights(accounts.get(address) ?? null, after.get(address) ?? null, authority),
  );
  if (lost === undefined) return null;
  return {
    check: 'wallet_rights',
    words: `somebody else could spend from ${lost.tokens.address}, a token account of the wallet`,
  };
}

/** Every account that the swap writes, but the two it may take from and give to. */
function findForeignFault(
  state: LeverageState,
  sized: SizedLeverage,
  { after }: PassedSimulation,
  read: ReadAccount,
): Fault | null {
  const { authority, accounts, program } = state;
  for (const address of writtenBySwap(state, sized)) {
    const [then, now] = [accounts.get(address) ?? read(address), after.get(address)];
    const words = foreignFault({ then, now, authority, program });
    if (words !== null) return { check: 'foreign_account', words: `the swap writes ${address}, ${words}` };
  }
  return null;
}

interface ForeignAccount {
  readonly then: AccountBytes | null | undefined;
  readonly now: (AccountBytes & { readonly owner: Address }) | null | undefined;
  readonly authority: Address;
  readonly program: Address;
}

function foreignFault({ then, now, authority, program }: ForeignAccount): string | null {
  if (now === undefined) return 'which the simulation did not report';
  if (now?.owner === program) return 'which is an account of the lending program';
  const [before, held] = [then ? readHolding(then) : null, now === null ? null : readHolding(now)];
  if (then === undefined && held?.owner === authority) return 'a token account of the wallet that nobody asked about';
  if (before?.owner !== authority) {
    return held?.owner === authority && hasLostRights(null, now, authority)
      ? 'which somebody else may spend from'
      : null;
  }
  if (held === null || held.amountBase < before.amountBase)
    return 'a token account of the wallet, which holds less afterwards';
  return hasLostRights(then ?? null, now, authority)
    ? 'a token account of the wallet, which others may spend from'
    : null;
}

function findFlowFault({ state, sized, after, moved }: Done, fees: BuildFees): Fault | null {
  const costs = fees.network + fees.priority + fees.tip + fees.rent;
  const flows = promisedFlows(state, sized, moved);
  for (const flow of flows) {
    const changeBase = changeOf(state, flow, after.accounts);
    const leastBase = isSolFlow(flow) ? flow.leastBase - costs : flow.leastBase;
    if (changeBase < leastBase) {
      const words = `the wallet's tokens of ${flow.mint} would change by ${changeBase} base units, expected ${leastBase} or more`;
      return { check: flow.check, words };
    }
  }
  const lamports = lamportsOf(after.accounts, state.authority) - state.lamports;
  if (flows.some(isSolFlow) || lamports >= -costs) return null;
  return { check: 'lamports', words: `the wallet would pay ${-lamports} lamports, expected ${costs} or less` };
}

function changeOf(
  { accounts, authority, lamports, ...sides }: LeverageState,
  flow: PromisedFlow,
  after: LiveAccounts,
): bigint {
  const side = [sides.collateral, sides.debt].find(({ live }) => live.mint.address === flow.mint);
  if (side === undefined) return 0n;
  const { address, amountBase } = side.tokens;
  if (isSolFlow(flow)) {
    const wrapped = lamportsOf(after, address) - lamportsOf(accounts, address);
    return wrapped + lamportsOf(after, authority) - lamports;
  }
  const account = after.get(address);
  const now = account ? (readHolding(account)?.amountBase ?? 0n) : 0n;
  return now - (amountBase ?? 0n);
}

function findAccountFault({ state, sized, after, moved }: Done): Fault | null {
  const words = findLendingAccountFault(state, sized, after, moved);
  return words === null ? null : { check: 'lending_account', words };
}

function writtenBySwap({ authority, collateral, debt }: LeverageState, { swap }: SizedLeverage): readonly Address[] {
  const own: readonly Address[] = [authority, collateral.tokens.address, debt.tokens.address];
  const instructions = swap === null ? [] : [...swap.setup, ...swap.swap];
  const written = instructions.flatMap(({ accounts = [] }) =>
    accounts.filter(({ role }) => isWritableRole(role)).map(({ address }) => address as Address),
  );
  return [...new Set(written)].filter((address) => !own.includes(address));
}

function lamportsOf(accounts: LiveAccounts, address: Address): bigint {
  return accounts.get(address)?.lamports ?? 0n;
}

/** What a caller is told of a swap that did not do what its quote says. */
export function unkept(
  { swap }: SizedLeverage,
  { check, words }: Fault,
  failure: LendingError['context'] = {},
): LendingError {
  if (swap === null) {
    return new LendingError('INTERNAL__UNEXPECTED', {
      message: `A simulated plan does something else: ${words}`,
      context: { check },
    });
  }
  return new LendingError('ACTION__SWAP_UNAVAILABLE', {
    message: `The swap does not do what its quote says: ${words} — allowed: swaps that give the quoted minimum and touch nothing else — make the same call again for another route; if it fails likewise, report it to the operator`,
    context: { ...failure, check, aggregator: swap.quote.aggregator, request_id: swap.quote.requestId },
  });
}
