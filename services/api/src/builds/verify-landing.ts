import type { TransactionRecord } from '@lending/chain';
import { symbolOfKnownMint, toUiAmount } from '@lending/domain';
import { LendingError, toWireError } from '@lending/errors';
import { cleanText, decodeActivity, explainProgramError, type InstructionErrorPair } from '@lending/venues';
import type { Signature } from '@solana/kit';
import { describeAsOf } from '#reads/as-of.ts';
import type { LandingReply, Movement } from '#records/landing-fields.ts';
import { fetchBlockHeight } from './block-height.ts';
import type { LeverageDeps } from './build-deps.ts';
import { comparePlan } from './compare-plan.ts';
import { shownLogs } from './explain-failure.ts';
import { findOvertaken } from './find-overtaken.ts';
import { findPlan, type KnownPlan } from './find-plan.ts';
import type { PlanStore } from './plan-store.ts';
import { readWire, type WireTransaction } from './read-wire.ts';
import { walletChanges } from './wallet-changes.ts';

export interface VerifyDeps
  extends Pick<LeverageDeps, 'chain' | 'program' | 'programWatch' | 'swapPrograms' | 'tables' | 'now'> {
  readonly plans: Pick<PlanStore, 'readPlan'>;
  readonly staleAfterMs: number;
}

const DEADLINE_MS = 20_000;
const SOL_DECIMALS = 9;
const MAX_REASON = 200;

/**
 * Whether a transaction landed, what it did, and whether that is what its plan promised. `docsBase` is what the page of an error code is
 * addressed by, before the code.
 * @throws READ__PLAN_NOT_FOUND, and CHAIN__RPC_… when no node answers.
 */
export async function verifyLanding(
  deps: VerifyDeps,
  { signature, planId }: { readonly signature: string; readonly planId: string | null },
  {
    callName,
    docsBase,
    signal: away,
  }: { readonly callName: string; readonly docsBase: string; readonly signal: AbortSignal },
): Promise<LandingReply> {
  const signal = AbortSignal.any([away, AbortSignal.timeout(DEADLINE_MS)]);
  const plan = planId === null ? null : await findPlan(deps.plans, planId, callName);
  const { chain } = deps;
  const [status, record, wire, height] = await Promise.all([
    fetchStatus(deps, signature, signal),
    chain.fetchTransaction(signature, { signal }),
    plan === null ? null : fetchWire(deps, signature, signal),
    plan === null ? null : fetchBlockHeight(chain, signal),
  ]);
  if (record === null) {
    const isExpired = plan !== null && height !== null && height > plan.row.last_valid_block_height;
    // The answers came in any order: what landed between them is found once the height is known.
    const known = status === null && isExpired ? await fetchStatus(deps, signature, signal) : status;
    const isOver = known === null && isExpired;
    return notFound({ deps, signature, status: known, plan, isOver, clock: await fetchClock(deps, signal) });
  }
  const error = record.isFailed
    ? toWireError(await explainFailed(deps, record, { plan, error: status?.error ?? null, signal }), docsBase)
    : null;
  const activity = await describeActivity(deps, record);
  const changes = walletChanges(record, plan?.row.authority ?? record.feePayer);
  const compared = plan === null ? null : comparePlan(plan, { record, wire, activity, changes });
  // A node may not know yet when a new block was: then it is as old as what the chain's clock says now.
  const { unixTimestamp } = record.unixTimestamp === null ? await fetchClock(deps, signal) : record;
  const timeMs = Number(unixTimestamp) * 1_000;
  return {
    signature,
    landed: true,
    success: !record.isFailed,
    confirmation: status?.confirmation ?? 'confirmed',
    slot: Number(record.slot),
    time: record.unixTimestamp === null ? null : new Date(timeMs).toISOString(),
    error,
    fee_sol: Number(toUiAmount(record.feeLamports, SOL_DECIMALS)),
    token_changes: [...changes],
    activity: [...activity],
    plan: compared,
    advice: adviceFor(record, compared),
    as_of: describeAsOf(
      { slot: record.slot, timeMs, source: chain.source, kind: 'configuration' },
      deps.now(),
      deps.staleAfterMs,
    ),
    warnings: [],
  };
}

interface Status {
  readonly slot: bigint;
  readonly confirmation: 'processed' | 'confirmed' | 'finalized' | null;
  readonly error: unknown;
}

async function fetchStatus({ chain }: VerifyDeps, signature: string, signal: AbortSignal): Promise<Status | null> {
  const { value } = await chain.rpc
    .getSignatureStatuses([signature as Signature], { searchTransactionHistory: true })
    .send({ abortSignal: signal });
  const [status] = value;
  if (!status) return null;
  return { slot: BigInt(status.slot), confirmation: status.confirmationStatus, error: status.err };
}

/** The bytes that landed, to be compared with those of the plan. */
async function fetchWire(
  { chain }: VerifyDeps,
  signature: string,
  signal: AbortSignal,
): Promise<WireTransaction | null> {
  const answer = await chain.rpc
    .getTransaction(
      signature as Signature,
      {
        commitment: 'confirmed',
        encoding: 'base64',
        maxSupportedTransactionVersion: 1,
      } as never,
    )
    .send({ abortSignal: signal });
  const { transaction } = (answer ?? {}) as { readonly transaction?: readonly [string, string] };
  return transaction === undefined ? null : readWire(transaction[0]);
}

/** What failed it: the program of another version, where it was deployed between the build and the block, else what the program says. */
async function explainFailed(
  deps: VerifyDeps,
  record: TransactionRecord,
  { plan, error, signal }: { readonly plan: KnownPlan | null; readonly error: unknown; readonly signal: AbortSignal },
): Promise<LendingError> {
  const overtaken = plan === null ? null : await findOvertaken(deps, plan, record.slot, signal);
  return overtaken ?? explain(deps, record, error);
}

function explain({ program, swapPrograms }: VerifyDeps, record: TransactionRecord, error: unknown): LendingError {
  const instructionPrograms = record.instructions
    .filter(({ innerIndex }) => innerIndex === null)
    .map(({ programId }) => programId);
  const pair = instructionErrorOf(error);
  const explained = explainProgramError({
    logs: record.logs ?? [],
    error: pair,
    instructionPrograms,
    programId: program,
    swapPrograms,
  });
  const logs = shownLogs(record.logs ?? []);
  const reason = cleanText(typeof error === 'string' ? error : JSON.stringify(error, textOfBigint), MAX_REASON);
  return explained === null
    ? new LendingError('ACTION__SIMULATION_INVALID', {
        message: `The transaction landed and failed (${reason}) — allowed: a transaction built on the chain as it is now — build again with the same svc_ tool`,
        context: { cause: { program: null, error: null, number: null, reason }, logs },
      })
    : new LendingError(explained.code, { message: explained.message, context: { cause: explained.cause, logs } });
}

function instructionErrorOf(error: unknown): InstructionErrorPair | null {
  if (typeof error !== 'object' || error === null || !('InstructionError' in error)) return null;
  return error.InstructionError as InstructionErrorPair;
}

function textOfBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

interface Moved {
  readonly kind: string;
  readonly account: string;
  readonly bank: string | null;
  readonly mint: string | null;
  readonly amountBase: bigint | null;
}

async function describeActivity(
  { program, tables }: VerifyDeps,
  record: TransactionRecord,
): Promise<readonly Movement[]> {
  const { activities } = decodeActivity(record, program);
  const movements = activities.flatMap(({ kind, account, legs }) => {
    const whole: readonly Moved[] = [{ kind, account, bank: null, mint: null, amountBase: null }];
    const parts = legs.map((leg): Moved => ({ ...leg, kind: legs.length > 1 ? leg.action : kind, account }));
    return parts.length === 0 ? whole : parts;
  });
  return Promise.all(
    movements.map(async ({ kind, account, bank, mint, amountBase }) => {
      const known = bank === null ? null : await tables.findBank(bank);
      return {
        kind,
        account,
        bank,
        symbol: known?.symbol ?? (mint === null ? null : symbolOfKnownMint(mint)),
        amount_ui: known === null || amountBase === null ? null : Number(toUiAmount(amountBase, known.decimals)),
        amount_raw: amountBase === null ? null : String(amountBase),
      };
    }),
  );
}

interface Clock {
  readonly slot: bigint;
  readonly unixTimestamp: bigint | null;
}

async function fetchClock({ chain }: VerifyDeps, signal: AbortSignal): Promise<Clock> {
  const [group] = await chain.fetchAccountGroups([[]], { signal });
  return { slot: group?.slot ?? 0n, unixTimestamp: group?.unixTimestamp ?? null };
}

interface Missing {
  readonly deps: VerifyDeps;
  readonly signature: string;
  readonly status: Status | null;
  readonly plan: KnownPlan | null;
  /** Its plan's blockhash is no longer good for any block. */
  readonly isOver: boolean;
  readonly clock: Clock;
}

function notFound({ deps, signature, status, plan, isOver, clock }: Missing): LandingReply {
  const { chain, now, staleAfterMs } = deps;
  const { slot, unixTimestamp } = clock;
  const expired =
    'It is not in any block the node knows, and the blockhash of its plan is no longer valid: signed as it was handed out, it can no longer land. Build again, with the same idempotency_key where one was used.';
  const waiting =
    status === null
      ? 'The node does not know it yet: ask again in two seconds. Until the blockhash expires it may still land; sending the same bytes again is safe.'
      : 'The node has seen it, but it is not confirmed yet: ask again in a second.';
  return {
    signature,
    landed: isOver ? false : null,
    success: null,
    confirmation: status?.confirmation ?? null,
    slot: status === null ? null : Number(status.slot),
    time: null,
    error: null,
    fee_sol: null,
    token_changes: null,
    activity: null,
    plan:
      plan === null
        ? null
        : { plan_id: plan.row.id, transaction_index: null, compared: [], matches: null, differences: [] },
    advice: isOver ? expired : waiting,
    as_of: describeAsOf(
      { slot, timeMs: Number(unixTimestamp) * 1_000, source: chain.source, kind: 'sample' },
      now(),
      staleAfterMs,
    ),
    warnings: [],
  };
}

function adviceFor(record: TransactionRecord, compared: LandingReply['plan']): string {
  if (record.isFailed)
    return 'It landed and failed: nothing but the fee moved. Change what error says and build again.';
  if (compared === null) return 'It landed. Pass plan_id to have it compared with what was promised.';
  if (compared.transaction_index === null)
    return 'It landed, but it is not a transaction of this plan byte by byte: compare what moved yourself.';
  if (compared.matches === false) return 'It landed, and did not do exactly what was promised: see plan.differences.';
  return 'It landed, and did what was promised.';
}
