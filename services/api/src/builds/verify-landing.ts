import { didRun, type OneNode, type TransactionRecord } from '@lending/chain';
import { symbolOfKnownMint, toUiAmount } from '@lending/domain';
import { LendingError, toWireError } from '@lending/errors';
import { SYSTEM_PROGRAM } from '@lending/programs';
import { cleanText, decodeActivity, explainProgramError, type InstructionErrorPair } from '@lending/venues';
import type { Signature } from '@solana/kit';
import { describeAsOf } from '#reads/as-of.ts';
import type { LandingReply, Movement, PlanLandingReply } from '#records/landing-fields.ts';
import { fetchBlockHeight } from './block-height.ts';
import type { LeverageDeps } from './build-deps.ts';
import { comparePlan } from './compare-plan.ts';
import { shownLogs } from './explain-failure.ts';
import { findOvertaken } from './find-overtaken.ts';
import { findPlan, type KnownPlan } from './find-plan.ts';
import { findSent, type SentSearch } from './find-sent.ts';
import { keepsSince } from './keeps-since.ts';
import type { PlanStore } from './plan-store.ts';
import { fetchWire } from './read-wire.ts';
import { walletChanges } from './wallet-changes.ts';

export interface VerifyDeps
  extends Pick<LeverageDeps, 'chain' | 'program' | 'programWatch' | 'swapPrograms' | 'tables' | 'now'> {
  readonly plans: Pick<PlanStore, 'readPlan'>;
  readonly staleAfterMs: number;
}

const DEADLINE_MS = 20_000;
const SOL_DECIMALS = 9;
const MAX_REASON = 200;

interface VerifyCall {
  readonly callName: string;
  /** What the page of an error code is addressed by, before the code. */
  readonly docsBase: string;
  readonly signal: AbortSignal;
}

/**
 * Whether the action of a plan landed, and what `verifyLanding` says of it: its transaction is looked for by the plan's bytes. `signature` is
 * null where none was found.
 * @throws READ__PLAN_NOT_FOUND, TOOL__INPUT_INVALID for a preview, and CHAIN__RPC_… when no node answers.
 */
export async function verifyPlan(deps: VerifyDeps, planId: string, call: VerifyCall): Promise<PlanLandingReply> {
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(DEADLINE_MS)]);
  const { callName } = call;
  const plan = await findPlan(deps.plans, planId, callName);
  const { sent, isExpired } = await findSent(deps.chain, plan, { program: deps.program, callName, signal });
  if (sent.kind === 'found') return verifyLanding(deps, { signature: sent.signature, planId }, call);
  const isOver = isExpired && sent.kind === 'absent';
  const fate = isOver ? EXPIRED : isExpired ? '' : UNKNOWN;
  const advice = `${fate} ${adviceOf(sent, isExpired)}`.trim();
  return notFound({ deps, signature: null, status: null, plan, isOver, advice, clock: await fetchClock(deps, signal) });
}

function adviceOf(sent: SentSearch, isExpired: boolean): string {
  if (sent.kind === 'like')
    return `${sent.signature} does what this plan does, in other bytes: it may be this one, changed by the wallet. Do not build again before you know whose it is: pass the signature of what was sent.`;
  if (sent.kind === 'unread')
    return 'Since the plan the account has more transactions than are read, or one that cannot be read: pass the signature instead.';
  return sent.kind === 'pruned' && isExpired
    ? PRUNED
    : 'Where the wallet changes what it signs, pass the signature instead.';
}

const EXPIRED =
  'It is not in any block the node knows, and the blockhash of its plan is no longer valid: signed as it was handed out, it can no longer land. Build again, with the same idempotency_key where one was used.';
const UNKNOWN =
  'The node does not know it yet: ask again in two seconds. Until the blockhash expires it may still land; sending the same bytes again is safe.';
const SEEN = 'The node has seen it, but it is not confirmed yet: ask again in a second.';
const PRUNED =
  "The blockhash of its plan is no longer valid, and the node's history does not reach back to the plan: look up the signature elsewhere before you build again.";

/**
 * Whether a transaction landed, what it did, and whether that is what its plan promised.
 * @throws READ__PLAN_NOT_FOUND, and CHAIN__RPC_… when no node answers.
 */
export async function verifyLanding(
  deps: VerifyDeps,
  { signature, planId }: { readonly signature: string; readonly planId: string | null },
  { callName, docsBase, signal: away }: VerifyCall,
): Promise<LandingReply> {
  const signal = AbortSignal.any([away, AbortSignal.timeout(DEADLINE_MS)]);
  const plan = planId === null ? null : await findPlan(deps.plans, planId, callName);
  const { chain } = deps;
  const [status, record, wire] = await Promise.all([
    fetchStatus(chain, signature, signal),
    chain.fetchTransaction(signature, { signal }),
    plan === null ? null : fetchWire(chain, signature, signal),
  ]);
  if (record === null) {
    const node = chain.ofOneNode();
    const isExpired = plan !== null && (await fetchBlockHeight(node, signal)) > plan.row.last_valid_block_height;
    // The answers came in any order: what landed between them is found once the height is known, by the node that knows it.
    const known = status === null && isExpired ? await fetchStatus(node, signature, signal) : status;
    const isOver = known === null && isExpired && (await keepsSince(node, plan, signal));
    const unknown = isExpired ? PRUNED : UNKNOWN;
    const advice = known !== null ? SEEN : isOver ? EXPIRED : unknown;
    return notFound({ deps, signature, status: known, plan, isOver, advice, clock: await fetchClock(deps, signal) });
  }
  const error = record.isFailed
    ? toWireError(await explainFailed(deps, record, { plan, error: status?.error ?? null, signal }), docsBase)
    : null;
  const activity = await describeActivity(deps, record);
  const changes = walletChanges(record, plan?.row.authority ?? record.feePayer);
  const compared = plan === null ? null : comparePlan(plan, { record, wire, activity, changes });
  // A node may not know yet when a new block was: then it is as old as what the chain's clock says now.
  const { unixTimestamp } = record.unixTimestamp === null ? await fetchClock(deps, signal) : record;
  const hasRun = didRun(record);
  const timeMs = Number(unixTimestamp) * 1_000;
  return {
    signature,
    landed: hasRun || (isNonced(record) ? null : false),
    success: hasRun ? !record.isFailed : null,
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

async function fetchStatus(
  { rpc }: Pick<OneNode, 'rpc'>,
  signature: string,
  signal: AbortSignal,
): Promise<Status | null> {
  const { value } = await rpc
    .getSignatureStatuses([signature as Signature], { searchTransactionHistory: true })
    .send({ abortSignal: signal });
  const [status] = value;
  if (!status) return null;
  return { slot: BigInt(status.slot), confirmation: status.confirmationStatus, error: status.err };
}

/** What failed it: the program of another version, where it was deployed between the build and the block, else what the program says. */
async function explainFailed(
  deps: VerifyDeps,
  record: TransactionRecord,
  { plan, error, signal }: { readonly plan: KnownPlan | null; readonly error: unknown; readonly signal: AbortSignal },
): Promise<LendingError> {
  const isOurs = plan !== null && didRun(record);
  const overtaken = isOurs ? await findOvertaken(deps, plan, record.slot, signal) : null;
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
        message: `The transaction ${didRun(record) ? 'landed and failed' : 'is in a block, but did not run'} (${reason}) — allowed: a transaction built on the chain as it is now — build again with the same svc_ tool`,
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

interface Missing<S> {
  readonly deps: VerifyDeps;
  readonly signature: S;
  readonly status: Status | null;
  readonly plan: KnownPlan | null;
  /** It can no longer land: its plan's blockhash is good for no more blocks, and no block since the plan has it. */
  readonly isOver: boolean;
  readonly advice: string;
  readonly clock: Clock;
}

function notFound<S>({ deps, signature, status, plan, isOver, advice, clock }: Missing<S>) {
  const { chain, now, staleAfterMs } = deps;
  const { slot, unixTimestamp } = clock;
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
    advice,
    as_of: describeAsOf(
      { slot, timeMs: Number(unixTimestamp) * 1_000, source: chain.source, kind: 'sample' },
      now(),
      staleAfterMs,
    ),
    warnings: [],
  };
}

/** The System program's `AdvanceNonceAccount`, with which a transaction that names a durable nonce begins. */
const ADVANCE_NONCE = 4;

/** Whether a transaction is valid as long as its durable nonce is, whatever became of it in one block. */
function isNonced({ instructions: [first] }: TransactionRecord): boolean {
  return first?.programId === SYSTEM_PROGRAM && first.data[0] === ADVANCE_NONCE;
}

function adviceFor(record: TransactionRecord, compared: LandingReply['plan']): string {
  if (!didRun(record)) {
    const unrun = 'It is in a block, but it did not run: nothing moved, not even the fee.';
    return isNonced(record)
      ? `${unrun} Until its durable nonce is advanced the same bytes may still run: ask again.`
      : `${unrun} The cluster takes the same bytes no more: give the fee payer SOL and build again.`;
  }
  if (record.isFailed)
    return 'It landed and failed: nothing but the fee moved. Change what error says and build again.';
  if (compared === null) return 'It landed. Pass plan_id to have it compared with what was promised.';
  if (compared.transaction_index === null)
    return 'It landed, but it is not a transaction of this plan byte by byte: compare what moved yourself.';
  if (compared.matches === false) return 'It landed, and did not do exactly what was promised: see plan.differences.';
  return 'It landed, and did what was promised.';
}
