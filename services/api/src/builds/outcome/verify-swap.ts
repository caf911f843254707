import { LendingError } from '@lending/errors';
import type { LeverageState, LiveAccounts, ReadAccount, SizedLeverage } from '@lending/transactions';
import { type AccountBytes, readHolding } from '@lending/venues';
import { type Address, isWritableRole } from '@solana/kit';
import { type AfterSimulation, type PassedSimulation, readAfter } from './account-after.ts';
import { findLendingAccountFault, findOtherChange, withdrawnBy } from './lending-account-fault.ts';
import { type MovedAmounts, movedAmounts } from './moved-amounts.ts';
import { isSolFlow, type PromisedFlow, promisedFlows } from './promised-flows.ts';
import { hasLostRights, isWalletTaken } from './wallet-rights-fault.ts';

/** What a simulated loop or close is held to, by name. */
export type SwapCheck = 'lending_account' | 'wallet_rights' | 'source' | 'destination' | 'lamports' | 'foreign_account';

/** A loop or a close with the state that it was sized by. */
export interface SwapLeg {
  readonly state: LeverageState;
  readonly sized: SizedLeverage;
  /** The accounts of `accountsBesideSwap` as they were before; undefined is one that nobody read, which then may hold nothing of the wallet's. */
  readonly readBeside: ReadAccount;
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
 * and the lending account changed as it was sized. Closes that land one behind the other are held to it together, from the account as it
 * is now to what the last one left: between two simulations time passes, and interest is in neither.
 * @param costs lamports that the transactions cost the wallet besides what they move.
 * @throws ACTION__SWAP_UNAVAILABLE naming the check in its context, or INTERNAL__UNEXPECTED where nothing was swapped.
 */
export function verifySwap(legs: readonly SwapLeg[], passed: PassedSimulation, costs: bigint): void {
  const [first, last] = [legs[0], legs.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError('There is nothing to verify');
  const after = readAfter(first.state, passed);
  const did: Done = { legs, first, after, moved: movedByLegs(legs, first, after) };
  const fault =
    findRightsFault(did, passed) ?? findForeignFault(did, passed) ?? findFlowFault(did, costs) ?? findAccountFault(did);
  if (fault === null) return;
  const swapped = legs.findLast(({ sized }) => sized.swap !== null) ?? last;
  throw unkept(swapped.sized, fault);
}

/** What was sized, and what became of it. */
interface Done {
  readonly legs: readonly SwapLeg[];
  /** Its state is that before all of them. */
  readonly first: SwapLeg;
  readonly after: AfterSimulation;
  /** By each of the legs. */
  readonly moved: readonly MovedAmounts[];
}

/**
 * What the others withdrew is known to the unit; the rest of what left the deposit is what one of them did. Where the last takes all that is
 * left, the rest is its own, and each of the others took what it was sized for.
 */
function movedByLegs(legs: readonly SwapLeg[], first: SwapLeg, after: AfterSimulation): readonly MovedAmounts[] {
  const { collateral } = movedAmounts(first.state, after);
  const taken = legs.map(({ state, sized }) => withdrawnBy(state, sized));
  const all = taken.reduce((sum, base) => sum + base, 0n);
  const isEmptied = legs.some(({ sized }) => takesAll(sized));
  return legs.map(({ state, sized }, index) => {
    const own = taken[index] ?? 0n;
    const isKnown = isEmptied && !takesAll(sized);
    return { ...movedAmounts(state, after), collateral: isKnown ? -own : collateral + all - own };
  });
}

function takesAll(sized: SizedLeverage): boolean {
  return sized.kind === 'close_position' && sized.withdraw === 'all';
}

interface Fault {
  readonly check: SwapCheck;
  readonly words: string;
}

function findRightsFault({ legs, first }: Done, { after }: PassedSimulation): Fault | null {
  const { authority } = first.state;
  if (isWalletTaken(after.get(authority)))
    return { check: 'wallet_rights', words: "the wallet's own account would be another program's" };
  for (const { state } of legs) {
    const lost = [state.collateral, state.debt].find(({ tokens: { address } }) =>
      hasLostRights(state.accounts.get(address) ?? null, after.get(address) ?? null, authority),
    );
    if (lost === undefined) continue;
    const words = `others could spend from ${lost.tokens.address}, a token account of the wallet`;
    return { check: 'wallet_rights', words };
  }
  return null;
}

/** Every account that a swap writes, but those it may take from and give to. */
function findForeignFault({ legs }: Done, { after }: PassedSimulation): Fault | null {
  const own = new Set(legs.flatMap(({ state }) => [state.collateral.tokens.address, state.debt.tokens.address]));
  for (const { state, sized, readBeside } of legs) {
    const { authority, accounts, program } = state;
    for (const address of writtenBySwap(state, sized)) {
      if (own.has(address)) continue;
      const [then, now] = [accounts.get(address) ?? readBeside(address), after.get(address)];
      const words = foreignFault({ then, now, authority, program });
      if (words !== null) return { check: 'foreign_account', words: `the swap writes ${address}, ${words}` };
    }
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
    return held?.owner === authority && hasLostRights(null, now, authority) ? 'which others may spend from' : null;
  }
  if (held === null || held.amountBase < before.amountBase)
    return 'a token account of the wallet, which holds less afterwards';
  return hasLostRights(then ?? null, now, authority)
    ? 'a token account of the wallet, which others may spend from'
    : null;
}

function findFlowFault({ legs, first, after, moved }: Done, costs: bigint): Fault | null {
  const flows = mergeFlows(
    legs.flatMap(({ state, sized }, index) => promisedFlows(state, sized, moved[index] as MovedAmounts)),
  );
  for (const flow of flows) {
    const changeBase = changeOf(legs, first, flow, after.accounts);
    const leastBase = isSolFlow(flow) ? flow.leastBase - costs : flow.leastBase;
    if (changeBase < leastBase) {
      const words = `the wallet's tokens of ${flow.mint} would change by ${changeBase} base units, expected ${leastBase} or more`;
      return { check: flow.check, words };
    }
  }
  const lamports = lamportsOf(after.accounts, first.state.authority) - first.state.lamports;
  if (flows.some(isSolFlow) || lamports >= -costs) return null;
  return { check: 'lamports', words: `the wallet would pay ${-lamports} lamports, expected ${costs} or less` };
}

/** One flow for each mint. */
function mergeFlows(flows: readonly PromisedFlow[]): readonly PromisedFlow[] {
  const merged = new Map<Address, PromisedFlow>();
  for (const flow of flows) {
    const leastBase = (merged.get(flow.mint)?.leastBase ?? 0n) + flow.leastBase;
    merged.set(flow.mint, { ...flow, leastBase });
  }
  return [...merged.values()];
}

function changeOf(legs: readonly SwapLeg[], first: SwapLeg, flow: PromisedFlow, after: LiveAccounts): bigint {
  // Of a mint that several move, the first read what there was before.
  const found = legs
    .flatMap(({ state }) => [state.collateral, state.debt].map(({ live, tokens }) => ({ state, live, tokens })))
    .find(({ live }) => live.mint.address === flow.mint);
  if (found === undefined) return 0n;
  const { address, amountBase } = found.tokens;
  if (isSolFlow(flow)) {
    const { authority, lamports } = first.state;
    const wrapped = lamportsOf(after, address) - lamportsOf(found.state.accounts, address);
    return wrapped + lamportsOf(after, authority) - lamports;
  }
  const account = after.get(address);
  const now = account ? (readHolding(account)?.amountBase ?? 0n) : 0n;
  return now - (amountBase ?? 0n);
}

function findAccountFault({ legs, first, after, moved }: Done): Fault | null {
  const acted = new Set(legs.flatMap(({ sized }) => [sized.depositBank, sized.borrowBank]));
  const otherChange = findOtherChange(first.state, after, acted);
  if (otherChange !== null) return { check: 'lending_account', words: otherChange };
  for (const [index, { state, sized }] of legs.entries()) {
    const words = findLendingAccountFault(state, sized, after, {
      moved: moved[index] as MovedAmounts,
      roundings: BigInt(legs.length),
    });
    if (words !== null) return { check: 'lending_account', words };
  }
  return null;
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
