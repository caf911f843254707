import { ASSOCIATED_TOKEN_PROGRAM, COMPUTE_BUDGET_PROGRAM } from '@lending/programs';
import { type Address, type Instruction, isSignerRole, isWritableRole } from '@solana/kit';
import type { SwapOffer } from '../aggregators/aggregator.ts';
import type { SwapRefusal } from '../swap-reasons.ts';
import type { SwapQuery, SwapRoute } from '../swap-route.ts';
import { readAccountCreation } from './account-creation.ts';
import { checkTerms } from './check-terms.ts';

/** Accounts that one transaction may have, whatever its version. */
const MAX_ACCOUNTS = 64;
/** Where an instruction that makes an associated account names the mint. */
const MINT_OF_CREATION = 3;

export interface RouteBounds {
  /** Programs that may swap. */
  readonly swapPrograms: ReadonlySet<Address>;
  readonly protectedAccounts: ReadonlySet<Address>;
  readonly lendingAccount: Address;
}

/** A route whose instructions do nothing but swap, or the first check that they do not pass. */
export type CheckedRoute =
  | { readonly kind: 'passed'; readonly route: SwapRoute }
  | { readonly kind: 'refused'; readonly reason: SwapRefusal };

/**
 * Looks at what would be signed. What is not needed is dropped: budgets, clean-up, accounts of the two mints, and those that the swap does not
 * name. Accounts of other mints are made by an instruction of our own. Anything else beside the swap is refused, and so is a swap that another
 * program does, that somebody else signs for, or that writes what is none of its business.
 */
export async function checkRoute(offer: SwapOffer, query: SwapQuery, bounds: RouteBounds): Promise<CheckedRoute> {
  const { quote, swap, lookupTables } = offer;
  const found = findRefusal(offer, query, bounds);
  if (found !== null) return refused(found);
  const named = accountsOf([swap]);
  const setup: Instruction[] = [];
  for (const instruction of offer.setup.filter(isNoBudget)) {
    if (isOfPair(instruction, query)) continue;
    const creation = await readAccountCreation(instruction, query.taker);
    if (creation === null) return refused('unexpected_instruction');
    if (bounds.protectedAccounts.has(creation.account)) return refused('protected_account');
    if (named.has(creation.account)) setup.push(creation.instruction);
  }
  if (accountsOf([...setup, swap]).size > MAX_ACCOUNTS) return refused('too_many_accounts');
  return { kind: 'passed', route: { quote, setup, swap: [swap], lookupTables: [...new Set(lookupTables)] } };
}

function findRefusal(offer: SwapOffer, query: SwapQuery, bounds: RouteBounds): SwapRefusal | null {
  const { swap, others } = offer;
  if (!bounds.swapPrograms.has(swap.programAddress)) return 'unknown_program';
  if (others.some(isNoBudget)) return 'unexpected_instruction';
  const accounts = swap.accounts ?? [];
  const signers = accounts.filter(({ role }) => isSignerRole(role));
  if (signers.some(({ address }) => address !== query.taker)) return 'foreign_signer';
  if (accounts.some(({ address }) => address === bounds.lendingAccount)) return 'protected_account';
  const written = new Set(accounts.filter(({ role }) => isWritableRole(role)).map(({ address }) => address as Address));
  if ([...written].some((address) => bounds.protectedAccounts.has(address))) return 'protected_account';
  if (!written.has(query.source)) return 'wrong_source';
  if (!written.has(query.destination)) return 'wrong_destination';
  return checkTerms(offer, query);
}

/** Whether it makes an account of one of the two mints, or does anything else with one: the plan does that itself. */
function isOfPair({ programAddress, accounts = [] }: Instruction, { inMint, outMint }: SwapQuery): boolean {
  const mint = accounts[MINT_OF_CREATION]?.address;
  return programAddress === ASSOCIATED_TOKEN_PROGRAM && (mint === inMint || mint === outMint);
}

/** Every account that instructions need, their programs too. */
export function accountsOf(instructions: readonly Instruction[]): ReadonlySet<string> {
  return new Set(
    instructions.flatMap(({ programAddress, accounts = [] }) => [
      programAddress,
      ...accounts.map(({ address }) => address),
    ]),
  );
}

function isNoBudget({ programAddress }: Instruction): boolean {
  return programAddress !== COMPUTE_BUDGET_PROGRAM;
}

function refused(reason: SwapRefusal): CheckedRoute {
  return { kind: 'refused', reason };
}
