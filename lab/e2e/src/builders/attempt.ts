import {
  type ActionRequest,
  type Build,
  type BuildRequest,
  buildAction,
  buildLeverage,
  type LeverageDeps,
  type LeverageRequest,
} from '@lending/api';
import { isLendingError, type LendingError, toWireError } from '@lending/errors';
import type { P0Bank } from '@lending/venues';
import type { KeyPairSigner } from '@solana/kit';
import { expect } from 'vitest';
import { landBuild } from './land-build.ts';
import type { Pair } from './pairs.ts';
import { expectKept, type Moved, takeSnapshot } from './promise.ts';
import type { BuildersWorld } from './world.ts';

/** How a caller without keys of his own asks. */
export const PLAIN = { callName: 'the test', aggregatorKeys: { jupiter: null, dflow: null } } as const;

/** What a request is about: the bank of an action, null where it names none, or none that exists; the pair of a loop or a close. */
type About =
  | { readonly request: ActionRequest; readonly bank: P0Bank | null; readonly pair?: undefined }
  | { readonly request: LeverageRequest; readonly pair: Pair; readonly bank?: undefined };

/** A request with who makes it. */
export type Attempt = About & {
  /** What it aims at, for messages. */
  readonly aim?: string;
  readonly wallet: KeyPairSigner;
  /** What this one build has otherwise. */
  readonly deps?: Partial<LeverageDeps>;
  /** On the very state that the attempt before it met: what was written and landed since is not confirmed yet. */
  readonly isOnSameState?: boolean;
  /** Codes that it is made to provoke, where no chain could show it. */
  readonly expects?: readonly string[];
};

export interface Landed {
  readonly kind: 'landed';
  readonly build: Build;
  readonly moved: Moved;
}

export interface Refused {
  readonly kind: 'refused';
  readonly error: LendingError;
  /** As it leaves the process. */
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export type Attempted = Landed | Refused;

/** Builds what a request wants. */
export function build(deps: LeverageDeps, request: BuildRequest): Promise<Build> {
  return isLeverage(request) ? buildLeverage(deps, request, PLAIN) : buildAction(deps, request, PLAIN);
}

export function isLeverage(request: BuildRequest): request is LeverageRequest {
  return request.kind === 'loop' || request.kind === 'close_position';
}

/** Makes a request. What is built has to land and do what was promised, to the base unit; what is refused is returned. */
export async function attempt(world: BuildersWorld, made: Attempt): Promise<Attempted> {
  const { ledger } = world;
  const { wallet, request, deps } = made;
  if (made.isOnSameState !== true) world.settle();
  const before = takeSnapshot(ledger, wallet.address);
  const context = describeAttempt(made);
  try {
    const built = await build({ ...world.deps, ...deps }, request);
    const { failure } = await landBuild(ledger, built, wallet);
    expect(failure, `${context}: landing`).toBeNull();
    return { kind: 'landed', build: built, moved: expectKept(ledger, built, made, before, context) };
  } catch (error) {
    if (!isLendingError(error)) throw error;
    const refused = refusalOf(error);
    expect(refused.code, `${context}: ${error.message}`).not.toBe('INTERNAL');
    return refused;
  }
}

export function refusalOf(error: LendingError): Refused {
  const { code, details } = toWireError(error);
  return { kind: 'refused', error, code, details: details as Refused['details'] };
}

/** The same where anything but a refusal is a mistake. */
export async function refuse(world: BuildersWorld, made: Attempt): Promise<Refused> {
  const attempted = await attempt(world, made);
  if (attempted.kind === 'landed') throw new Error(`${describeAttempt(made)}: landed`);
  return attempted;
}

/** How a list of transactions is sent and what is in it, or how it was refused. */
export function shapeOf(attempted: Attempted): string {
  if (attempted.kind === 'refused') return attempted.code;
  const { submit, transactions } = attempted.build;
  return `${submit} ${transactions.map(({ type }) => type).join(' ')}`;
}

export function describeAttempt({ aim, request, bank, pair }: Attempt): string {
  const { kind, amount, authority, version } = request;
  const what = isLeverage(request) && request.leverage !== null ? `${amount} × ${request.leverage}` : amount;
  const at = bank ?? pair?.deposit;
  const where = at === undefined ? 'no bank' : `${at.venue} ${at.address}`;
  const on = pair === undefined ? '' : ` on ${pair.borrow.address}`;
  return `${aim ?? 'a test'}: ${kind} ${what} at ${where}${on}, wallet ${authority}, v${version}`;
}
