import { type Build, buildLeverage, type LeverageDeps, type LeverageRequest } from '@lending/api';
import { isLendingError, type LendingError, toWireError } from '@lending/errors';
import type { KeyPairSigner } from '@solana/kit';
import { expect } from 'vitest';
import { landBuild } from '../builders/land-build.ts';
import { expectLeverageKept, type Moved, takeSnapshot } from './leverage-promise.ts';
import type { LeverageWorld } from './leverage-world.ts';
import type { Pair } from './pairs.ts';

/** How a caller without keys of his own asks. */
export const PLAIN = { callName: 'the test', aggregatorKeys: { jupiter: null, dflow: null } } as const;

/** A loop or a close with who asks for it. */
export interface LeverageAttempt {
  /** What it aims at, for messages. */
  readonly aim: string;
  readonly wallet: KeyPairSigner;
  readonly request: LeverageRequest;
  readonly pair: Pair;
  /** What this one build has otherwise. */
  readonly deps?: Partial<LeverageDeps>;
  /** On the very state that the attempt before it met. */
  readonly isOnSameState?: boolean;
  /** Codes that it is made to provoke, where no chain could show it. */
  readonly expects?: readonly string[];
}

export type LeverageAttempted =
  | { readonly kind: 'landed'; readonly build: Build; readonly moved: Moved }
  | {
      readonly kind: 'refused';
      readonly error: LendingError;
      /** As it leaves the process. */
      readonly code: string;
      readonly details: Readonly<Record<string, unknown>>;
    };

/** Asks for a loop or a close. What is built has to land and do what was promised, to the base unit; what is refused is told. */
export async function attemptLeverage(world: LeverageWorld, attempt: LeverageAttempt): Promise<LeverageAttempted> {
  const { ledger } = world;
  const { wallet, pair } = attempt;
  if (attempt.isOnSameState !== true) world.settle();
  const before = takeSnapshot(ledger, wallet.address);
  const context = describeAttempt(attempt);
  const outcome = await build(world, attempt);
  if (outcome.kind === 'built') {
    const { failure } = await landBuild(ledger, outcome.build, wallet);
    expect(failure, `${context}: landing`).toBeNull();
    const moved = expectLeverageKept(ledger, outcome.build, pair, before, context);
    return { kind: 'landed', build: outcome.build, moved };
  }
  const { error } = outcome;
  const { code, details } = toWireError(error);
  expect(code, `${context}: ${error.message}`).not.toBe('INTERNAL');
  return { kind: 'refused', error, code, details: details as Readonly<Record<string, unknown>> };
}

/** The same where a refusal is a mistake. */
export async function landLeverage(world: LeverageWorld, attempt: LeverageAttempt) {
  const attempted = await attemptLeverage(world, attempt);
  if (attempted.kind === 'refused') throw new Error(`${describeAttempt(attempt)}: refused`, { cause: attempted.error });
  return attempted;
}

/** The same where anything but a refusal is a mistake. */
export async function refuseLeverage(world: LeverageWorld, attempt: LeverageAttempt) {
  const attempted = await attemptLeverage(world, attempt);
  if (attempted.kind === 'landed') throw new Error(`${describeAttempt(attempt)}: landed`);
  return attempted;
}

async function build(world: LeverageWorld, { request, deps }: LeverageAttempt) {
  try {
    const made = await buildLeverage({ ...world.deps, ...deps }, request, PLAIN);
    return { kind: 'built' as const, build: made };
  } catch (error) {
    if (!isLendingError(error)) throw error;
    return { kind: 'refused' as const, error };
  }
}

export function describeAttempt({ aim, request, pair: { deposit, borrow } }: LeverageAttempt): string {
  const { kind, amount, leverage, authority, version } = request;
  const what = leverage === null ? amount : `${amount} × ${leverage}`;
  return `${aim}: ${kind} ${what}, ${deposit.venue} ${deposit.address} on ${borrow.address}, wallet ${authority}, v${version}`;
}
