import { LendingError, toWireError } from '@lending/errors';
import type { CompiledTransaction, SimulationOutcome, TransactionType } from '@lending/transactions';
import type { RefusedAction } from '@lending/venues';
import { describeAsOf } from '#reads/as-of.ts';
import type { Envelope } from '#records/envelope-fields.ts';
import type { SimulationReply } from '#records/landing-fields.ts';
import { fetchBlockHeight } from './block-height.ts';
import type { LeverageDeps } from './build-deps.ts';
import type { BuildPlaces } from './build-places.ts';
import { describeChange, describeJudged } from './envelope.ts';
import { explainFailure } from './explain-failure.ts';
import { findOvertaken } from './find-overtaken.ts';
import { bytesOfPlan, findPlan } from './find-plan.ts';
import { outcomeOfPlan, stateOfPlan } from './outcome/outcome-of-plan.ts';
import type { PlanStore } from './plan-store.ts';
import { readWire, toCompiled, type WireTransaction } from './read-wire.ts';

export interface SimulateDeps
  extends Pick<
    LeverageDeps,
    | 'chain'
    | 'simulator'
    | 'program'
    | 'programWatch'
    | 'relaxed'
    | 'swapPrograms'
    | 'group'
    | 'banks'
    | 'slotTime'
    | 'now'
  > {
  readonly plans: Pick<PlanStore, 'readPlan'>;
  readonly places: BuildPlaces;
  readonly staleAfterMs: number;
}

/** A plan, or transactions as base64. */
export type SimulateTarget = { readonly planId: string } | { readonly transactions: readonly string[] };

type FailedSimulation = Extract<SimulationOutcome, { readonly kind: 'failed' }>;

interface SimulateCall {
  readonly callName: string;
  /** What the page of an error code is addressed by, before the code. */
  readonly docsBase: string;
  readonly signal: AbortSignal;
}

const DEADLINE_MS = 30_000;

/**
 * How transactions that were handed out would fare on the chain as it is now. Takes a place among the builds: it simulates as they do.
 * @throws READ__PLAN_NOT_FOUND, TOOL__INPUT_INVALID for a plan without bytes and for bytes that are no transaction,
 * ACTION__TRANSACTION_EXCEEDED for a stranger's that name more than is read for them, TOOL__BUILDS_EXCEEDED.
 */
export function simulateAgain(
  deps: SimulateDeps,
  target: SimulateTarget,
  call: SimulateCall & { readonly client: string },
): Promise<SimulationReply> {
  return deps.places.run(call.client, call.signal, () => {
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(DEADLINE_MS)]);
    return simulateNow(deps, target, { ...call, signal });
  });
}

async function simulateNow(
  deps: SimulateDeps,
  target: SimulateTarget,
  { callName, docsBase, signal }: SimulateCall,
): Promise<SimulationReply> {
  const { chain, now } = deps;
  const plan = 'planId' in target ? await findPlan(deps.plans, target.planId, callName) : null;
  const texts = 'planId' in target ? (plan === null ? [] : bytesOfPlan(plan, callName)) : target.transactions;
  const transactions = texts.map((text, index) => readTransaction(text, index, callName));
  const { transactions: compiled, unixTimestamp } = await toCompiled(chain, transactions, {
    signal,
    isForeign: plan === null,
  });
  const watch = plan === null ? [] : [...new Set(compiled.flatMap(({ accounts }) => accounts))];
  const [outcome, blockhash, state] = await Promise.all([
    deps.simulator.simulate(compiled, watch, { signal, isForeign: plan === null }),
    plan === null
      ? askBlockhashes(deps, transactions, signal)
      : blockhashOfPlan(deps, plan.row.last_valid_block_height, signal),
    plan === null ? null : stateOfPlan(deps, plan, signal),
  ]);
  const { slot, by } = outcome;
  const isPassed = outcome.kind === 'passed';
  const result = isPassed && state !== null ? outcomeOfPlan(state, outcome) : null;
  const wouldLand = isPassed && !blockhash.expired;
  const overtaken = isPassed || plan === null ? null : await findOvertaken(deps, plan, slot, signal);
  return {
    would_land: wouldLand,
    error: isPassed
      ? null
      : toWireError(
          overtaken ?? explain(outcome, plan === null ? [] : withTypes(compiled, plan.envelope), deps),
          docsBase,
        ),
    simulation: {
      success: isPassed,
      slot: Number(slot),
      compute_units: outcome.transactions.map(({ unitsConsumed }) => unitsConsumed),
      simulated_by: by,
      pre_health: result === null ? null : describeJudged(result.preHealth),
      post_health: result === null ? null : describeJudged(result.postHealth),
      token_changes: result === null ? null : result.tokenChanges.map(describeChange),
    },
    blockhash: { value: transactions[0]?.message.lifetimeToken ?? '', ...blockhash },
    plan_id: plan?.row.id ?? null,
    next_actions: wouldLand
      ? []
      : [
          {
            tool: 'svc_get_positions',
            why: 'How the account stands, to build again',
            args: { address: addressOf(transactions, plan?.row.account) },
          },
        ],
    as_of: describeAsOf(
      { slot, timeMs: Number(unixTimestamp) * 1_000, source: chain.source, kind: 'sample' },
      now(),
      deps.staleAfterMs,
    ),
    warnings: [...(result?.warnings ?? [])],
  };
}

type BlockhashState = Pick<SimulationReply['blockhash'], 'expired' | 'blocks_left' | 'expires_in_seconds'>;

async function blockhashOfPlan(
  { chain, slotTime }: SimulateDeps,
  lastValidBlockHeight: bigint,
  signal: AbortSignal,
): Promise<BlockhashState> {
  const [height, slotMicros] = await Promise.all([fetchBlockHeight(chain, signal), slotTime()]);
  const left = lastValidBlockHeight - height;
  const blocks = left < 0n ? 0n : left;
  return {
    expired: left < 0n,
    blocks_left: Number(blocks),
    expires_in_seconds: Number((blocks * slotMicros) / 1_000_000n),
  };
}

async function askBlockhashes(
  { chain }: SimulateDeps,
  transactions: readonly WireTransaction[],
  signal: AbortSignal,
): Promise<BlockhashState> {
  const blockhashes = [...new Set(transactions.map(({ message }) => message.lifetimeToken))];
  const answers = await Promise.all(
    blockhashes.map((each) =>
      chain.rpc
        .isBlockhashValid(each as Parameters<typeof chain.rpc.isBlockhashValid>[0], { commitment: 'confirmed' })
        .send({ abortSignal: signal }),
    ),
  );
  return { expired: answers.some(({ value }) => !value), blocks_left: null, expires_in_seconds: null };
}

function readTransaction(text: string, index: number, callName: string): WireTransaction {
  const transaction = readWire(text);
  if (transaction !== null) return transaction;
  const allowed = 'the base64 of whole transactions, as envelopes have them';
  throw new LendingError('TOOL__INPUT_INVALID', {
    message: `transactions[${index}] is no transaction — allowed: ${allowed} — correct it and call ${callName} again`,
    context: { field: 'transactions', allowed },
  });
}

/** What builders call their actions when they are refused. */
const REFUSED: Readonly<Partial<Record<TransactionType, RefusedAction>>> = {
  DEPOSIT: 'deposit',
  WITHDRAW: 'withdraw',
  BORROW: 'borrow',
  REPAY: 'repay',
  LOOP: 'loop',
  CLOSE_POSITION: 'close-position',
};

/** As the builder of the plan would say it; a crank, and bytes of which nothing is known, are no action's. */
function explain(
  failed: FailedSimulation,
  transactions: readonly CompiledTransaction[],
  deps: SimulateDeps,
): LendingError {
  const type = transactions[failed.index]?.type;
  return explainFailure(failed, transactions, (type === undefined ? null : REFUSED[type]) ?? null, deps);
}

/** What each transaction is for: of a plan it is known, of bytes it is not. */
function withTypes(
  compiled: readonly CompiledTransaction[],
  { transactions }: Pick<Envelope, 'transactions'>,
): readonly CompiledTransaction[] {
  return compiled.map((each, index) => ({ ...each, type: transactions[index]?.type ?? each.type }));
}

function addressOf(transactions: readonly WireTransaction[], account: string | undefined): string {
  return account ?? transactions[0]?.message.staticAccounts[0] ?? '';
}
