import type { Build, BuildRequest } from '@lending/api';
import { LendingError, toWireError } from '@lending/errors';
import { type Envelope, signEnvelope } from '@lending/examples';
import { type Ledger, SWAP_PROGRAM } from '@lending/localnet';
import { explainProgramError, type InstructionErrorPair } from '@lending/venues';
import {
  type Address,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type KeyPairSigner,
} from '@solana/kit';

export interface LandingFailure {
  /** Position of the transaction that failed. */
  readonly index: number;
  readonly error: unknown;
  readonly logs: readonly string[];
}

/** The part of a build that is sent. */
export type Sendable = Pick<Build, 'transactions' | 'blockhash' | 'submit' | 'actionIndex' | 'account' | 'summary'>;

/**
 * Signs a build as the example signer does, with all its refusals, and lands it in the open slot: a sequence stops at the first that
 * fails, a bundle lands as a whole or not at all.
 * @returns what failed; null where all of them landed without an error.
 */
export async function landBuild(
  ledger: Ledger,
  build: Sendable,
  wallet: KeyPairSigner,
): Promise<{ readonly failure: LandingFailure | null }> {
  const wires = await signBuild(build, wallet);
  if (build.submit === 'bundle') {
    const { outcomes, failedAt } = ledger.submitBundle(wires);
    return { failure: failedAt === null ? null : failureOf(outcomes[failedAt], failedAt) };
  }
  for (const [index, wire] of wires.entries()) {
    const failure = failureOf(ledger.submit(wire), index);
    if (failure !== null) return { failure };
  }
  return { failure: null };
}

async function signBuild(build: Sendable, wallet: KeyPairSigner): Promise<readonly Uint8Array[]> {
  const signed = await signEnvelope(envelopeOf(build), wallet);
  return signed.map(({ base64 }) => new Uint8Array(getBase64Encoder().encode(base64)));
}

/** As the service answers it, in the words that the example signer reads. */
export function envelopeOf({ account, transactions, submit, blockhash, summary, actionIndex }: Sendable): Envelope {
  return {
    account,
    transactions: transactions.map(({ wire, type, label }) => ({
      base64: Buffer.from(wire).toString('base64'),
      type,
      label,
    })),
    action_tx_index: actionIndex,
    submit,
    blockhash: { value: blockhash.value, last_valid_block_height: Number(blockhash.lastValidBlockHeight) },
    summary,
    plan_id: '',
  };
}

type Outcome = ReturnType<Ledger['submit']>;

function failureOf(outcome: Outcome | undefined, index: number): LandingFailure | null {
  switch (outcome?.kind) {
    case 'executed':
      return outcome.result.error === null ? null : { index, error: outcome.result.error, logs: outcome.result.logs };
    case 'refused':
      return { index, error: outcome.error, logs: outcome.result?.logs ?? [] };
    default:
      return { index, error: outcome?.reason ?? 'not reached', logs: [] };
  }
}

/** What a failure on the chain is called in our codes, null where no program failed; with the runtime's error as JSON. */
export function nameFailure({ error, logs }: LandingFailure, kind: BuildRequest['kind']) {
  const pair = (error as { readonly InstructionError?: InstructionErrorPair }).InstructionError ?? null;
  const explained = explainProgramError({ logs, error: pair, swapPrograms: [SWAP_PROGRAM], ...actionOf(kind) });
  const code = explained === null ? null : toWireError(new LendingError(explained.code)).code;
  return { code, error: JSON.stringify(error, (_key, value) => (typeof value === 'bigint' ? Number(value) : value)) };
}

function actionOf(kind: BuildRequest['kind']) {
  if (kind === 'create_account') return {};
  return { action: kind === 'close_position' ? 'close-position' : kind } as const;
}

/** Whether any of the transactions looks addresses up in a table. */
export function looksUp(transactions: readonly { readonly wire: Uint8Array }[], table: Address): boolean {
  return transactions.some(({ wire }) => {
    const { messageBytes } = getTransactionDecoder().decode(wire);
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
    const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : [];
    return lookups.some(({ lookupTableAddress }) => lookupTableAddress === table);
  });
}
