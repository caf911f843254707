import type { Build } from '@lending/api';
import { signEnvelope } from '@lending/examples';
import type { Ledger } from '@lending/localnet';
import { getBase64Encoder, type KeyPairSigner } from '@solana/kit';

/** What became of transactions that were sent. */
export interface Landing {
  /** Null: all of them landed without an error. */
  readonly failure: LandingFailure | null;
}

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
 */
export async function landBuild(ledger: Ledger, build: Sendable, wallet: KeyPairSigner): Promise<Landing> {
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
  const { blockhash, transactions } = build;
  const signed = await signEnvelope(
    {
      account: build.account,
      transactions: transactions.map(({ wire, type, label }) => ({
        base64: Buffer.from(wire).toString('base64'),
        type,
        label,
      })),
      action_tx_index: build.actionIndex,
      submit: build.submit,
      blockhash: { value: blockhash.value, last_valid_block_height: Number(blockhash.lastValidBlockHeight) },
      summary: build.summary,
      plan_id: '',
    },
    wallet,
  );
  return signed.map(({ base64 }) => new Uint8Array(getBase64Encoder().encode(base64)));
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
