import { type ActionRequest, type Build, type BuildDeps, buildAction } from '@lending/api';
import { isLendingError, type LendingError, toWireError } from '@lending/errors';
import type { P0Bank } from '@lending/venues';
import type { KeyPairSigner } from '@solana/kit';
import { expect } from 'vitest';
import type { BuildersWorld } from './builders-world.ts';
import { type Justification, justify } from './justify.ts';
import { landBuild } from './land-build.ts';
import { expectKept, holdingsOf } from './promise.ts';

/** A request with who makes it. */
export interface Attempt {
  /** What it aims at, for messages. */
  readonly aim: string;
  readonly wallet: KeyPairSigner;
  readonly request: ActionRequest;
  /** The bank of the request; null where it names none, or none that exists. */
  readonly bank: P0Bank | null;
  /** What this one build has otherwise. */
  readonly deps?: Partial<BuildDeps>;
  /** On the very state that the attempt before it met: what was written and landed since is not confirmed yet. */
  readonly isOnSameState?: boolean;
}

export type Attempted =
  | { readonly kind: 'landed'; readonly build: Build }
  | {
      readonly kind: 'refused';
      readonly error: LendingError;
      /** As it leaves the process. */
      readonly code: string;
      readonly details: Readonly<Record<string, unknown>>;
      readonly justification: Justification;
    };

/**
 * Makes a request of the builder. What is built has to land and do what was promised; what is refused has to be refused by the chain as
 * well, or be wrong for another reason that the chain's state shows.
 */
export async function makeAttempt(world: BuildersWorld, attempt: Attempt): Promise<Attempted> {
  const { ledger } = world;
  const { wallet, bank } = attempt;
  if (attempt.isOnSameState !== true) world.settle();
  const before = await holdingsOf(ledger, wallet.address, bank);
  const context = describe(attempt);
  const outcome = await build(world, attempt);
  if (outcome.kind === 'built') {
    const { failure } = await landBuild(ledger, outcome.build, wallet);
    expect(failure, `${context}: landing`).toBeNull();
    await expectKept(ledger, outcome.build, bank, before, context);
    return { kind: 'landed', build: outcome.build };
  }
  const { error } = outcome;
  const { code, details } = toWireError(error);
  expect(code, `${context}: ${error.message}`).not.toBe('INTERNAL');
  const justification = await justify(world, attempt, error, `${context}: ${code} ${error.message}`);
  return { kind: 'refused', error, code, details: details as Readonly<Record<string, unknown>>, justification };
}

async function build(world: BuildersWorld, { request, deps }: Attempt) {
  try {
    const made = await buildAction({ ...world.deps, ...deps }, request, { callName: 'the test' });
    return { kind: 'built' as const, build: made };
  } catch (error) {
    if (!isLendingError(error)) throw error;
    return { kind: 'refused' as const, error };
  }
}

export function describe({ aim, request, bank }: Attempt): string {
  const { kind, amount, authority, version } = request;
  const where = bank === null ? request.bank : `${bank.venue} ${bank.address}`;
  return `${aim}: ${kind} ${amount ?? ''} at ${where}, wallet ${authority}, v${version}`;
}
