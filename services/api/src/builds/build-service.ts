import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTimeLimit } from '@lending/chain';
import { isLendingError, LendingError } from '@lending/errors';
import type { PlanRow, PlanWrite } from '@lending/store';
import { inChildSpan } from '@lending/tracing';
import type { Span } from '@opentelemetry/api';
import { describeAsOf } from '#reads/as-of.ts';
import { type Envelope, envelopeSchema } from '#records/envelope-fields.ts';
import type { NextAction, Warning } from '#records/reply-fields.ts';
import type { AggregatorKeys } from './aggregator-keys.ts';
import { fetchBlockHeight } from './block-height.ts';
import type { Build } from './build.ts';
import { requestAgain } from './build-again.ts';
import type { BuildDeps } from './build-deps.ts';
import type { BuildPlaces } from './build-places.ts';
import type { BuildRequest } from './build-request.ts';
import { type Report, type TellStep, tellStepsOf } from './build-steps.ts';
import { toEnvelope } from './envelope.ts';
import type { PlanStore } from './plan-store.ts';
import { hashArguments, hashKey } from './request-arguments.ts';
import type { SlotTime } from './slot-time.ts';

/** Builds what was asked for: plans, compiles, simulates and judges it. */
export type BuildAction = (
  request: BuildRequest,
  options: {
    readonly signal: AbortSignal;
    readonly callName: string;
    readonly aggregatorKeys: AggregatorKeys;
    readonly tell: TellStep;
  },
) => Promise<Build>;

export interface BuildServiceOptions extends Pick<BuildDeps, 'chain' | 'program' | 'logger' | 'now'> {
  readonly buildAction: BuildAction;
  readonly places: BuildPlaces;
  readonly plans: PlanStore;
  readonly slotTime: SlotTime;
  /** A simulation older than this is stale. */
  readonly staleAfterMs: number;
}

/** A request with what its caller said around it. */
export interface EnvelopeRequest {
  readonly request: BuildRequest;
  readonly previewOnly: boolean;
  readonly idempotencyKey: string | null;
  /** The tool or path to name in an error's "next call". */
  readonly callName: string;
  /** Whose share of the places it takes. */
  readonly client: string;
  /** Aborted when nobody waits for the answer any more: then nothing more is asked of anybody. */
  readonly signal: AbortSignal;
  readonly report: Report;
  /** Beside the request, not in it: nothing that is kept or compared has them. */
  readonly aggregatorKeys: AggregatorKeys;
  /** What to do with the answer, given the id of its plan. */
  readonly nextActions: (planId: string) => readonly NextAction[];
  /** Of the answer, besides the build's own. */
  readonly warnings: readonly Warning[];
}

export type BuildEnvelope = (asked: EnvelopeRequest) => Promise<Envelope>;

/** A build that takes longer is given up; its claim on a key outlasts it. */
const DEADLINE_MS = 40_000;
const LEASE_MS = 60_000;
/** How often whoever waits for another's build looks whether it is done. */
const POLL_MS = 50;
/** How long: a process that was killed over a build holds its claim for longer, and callers do not wait for ever. */
const WAIT_MS = 20_000;
/** Fewer blocks than this are hardly enough to sign and send. */
const FEW_BLOCKS = 30n;

/**
 * Makes envelopes, each kept as a plan. With an idempotency key the first answer stands for as long as its blockhash lives; afterwards the
 * same is built again. While a single block is left nothing is: the earlier transaction could still land, and both would.
 */
export function createBuildEnvelope(options: BuildServiceOptions): BuildEnvelope {
  const { chain, plans, slotTime, now, logger } = options;

  type Built = { readonly envelope: Envelope; readonly plan: PlanWrite };

  /** Waits for a place, and builds. The deadline is the build's alone. */
  async function build(asked: EnvelopeRequest, before: PlanRow | null): Promise<Built> {
    try {
      return await options.places.run(asked.client, asked.signal, () =>
        inChildSpan(
          'lending.api',
          () => ({ name: `build ${asked.request.kind}` }),
          (span) => buildNow(asked, before, span),
        ),
      );
    } catch (error) {
      throw asked.signal.aborted && !isLendingError(error) ? nobodyWaits(error) : error;
    }
  }

  async function buildNow(asked: EnvelopeRequest, before: PlanRow | null, span: Span): Promise<Built> {
    const limit = startTimeLimit(DEADLINE_MS, asked.signal);
    const { signal } = limit;
    const startedMs = now();
    const report = tellStepsOf(asked.request, asked.report);
    const tell: TellStep = (step) => {
      span.addEvent(step);
      report(step);
    };
    try {
      tell('read');
      const again = before === null ? null : await requestAgain(options, asked.request, before, signal);
      const { callName, aggregatorKeys } = asked;
      const use = { signal, callName, aggregatorKeys, tell };
      const built = await options.buildAction(again?.request ?? asked.request, use);
      const planId = randomUUID();
      const envelope = toEnvelope(built, {
        planId,
        previewOnly: asked.previewOnly,
        isRebuilt: before !== null,
        warnings: [...(again?.warnings ?? []), ...asked.warnings],
        nextActions: asked.nextActions(planId),
        source: chain.source,
        nowMs: now(),
        staleAfterMs: options.staleAfterMs,
      });
      const { waves, simulatedBy, request } = built;
      logger.debug('build.envelope.answer', { kind: request.kind, waves, simulatedBy, ms: now() - startedMs });
      return { envelope, plan: toPlan(asked, built, envelope, before) };
    } catch (error) {
      if (asked.signal.aborted) throw nobodyWaits(error);
      if (signal.aborted && !isLendingError(error)) throw tookTooLong(error);
      throw error;
    } finally {
      limit.clear();
    }
  }

  async function buildForKey(
    asked: EnvelopeRequest,
    claim: { readonly authority: string; readonly key: string; readonly claim: string },
    before: PlanRow | null,
  ): Promise<Envelope | null> {
    try {
      const { envelope, plan } = await build(asked, before);
      return (await plans.settleKey(claim, plan)) ? envelope : null;
    } catch (error) {
      await plans.releaseKey(claim).catch((failure: unknown) => logger.warn('build.key.fail', { error: failure }));
      throw error;
    }
  }

  async function answerByKey(asked: EnvelopeRequest, key: string): Promise<Envelope> {
    const claim = { authority: asked.request.authority, key: hashKey(key), claim: randomUUID() };
    const argumentsHash = hashArguments(asked.request, asked.previewOnly);
    const until = now() + WAIT_MS;
    for (;;) {
      const state = await plans.claimKey({ ...claim, arguments: argumentsHash, leaseMs: LEASE_MS });
      if (state.kind === 'conflict') throw usedOtherwise(asked.callName);
      const envelope =
        state.kind === 'claimed'
          ? await buildForKey(asked, claim, null)
          : state.kind === 'built'
            ? await answerPlan(asked, claim, state.plan)
            : null;
      if (envelope !== null) return envelope;
      if (now() >= until) throw stillBuilding(asked.callName);
      await sleep(POLL_MS, undefined, { signal: asked.signal }).catch((error: unknown) => {
        throw nobodyWaits(error);
      });
    }
  }

  /** Null where somebody else builds it again. */
  async function answerPlan(
    asked: EnvelopeRequest,
    claim: { readonly authority: string; readonly key: string; readonly claim: string },
    id: string,
  ): Promise<Envelope | null> {
    const [plan, height, slotMicros] = await Promise.all([plans.readPlan(id), fetchBlockHeight(chain), slotTime()]);
    if (plan === null) return null;
    const blocksLeft = plan.last_valid_block_height - height;
    if (blocksLeft >= 0n) return repeat(plan, blocksLeft, slotMicros);
    const isMine = await plans.reclaimKey({ ...claim, plan: id, leaseMs: LEASE_MS });
    return isMine ? buildForKey(asked, claim, plan) : null;
  }

  function repeat({ envelope: stored }: PlanRow, blocksLeft: bigint, slotMicros: bigint): Envelope {
    const envelope = envelopeSchema.parse(stored);
    const { as_of: asOf, blockhash, simulation } = envelope;
    const seconds = Number((blocksLeft * slotMicros) / 1_000_000n);
    const reading = { slot: BigInt(asOf.slot ?? 0), timeMs: Date.parse(asOf.time), source: chain.source };
    return {
      ...envelope,
      blockhash: { ...blockhash, expires_in_seconds: seconds },
      simulation:
        blocksLeft < FEW_BLOCKS ? { ...simulation, warnings: [...simulation.warnings, expiring(seconds)] } : simulation,
      as_of: describeAsOf({ ...reading, kind: 'sample' }, now(), options.staleAfterMs),
    };
  }

  return async (asked) => {
    if (asked.idempotencyKey !== null) return answerByKey(asked, asked.idempotencyKey);
    const { envelope, plan } = await build(asked, null);
    await plans.insertPlan(plan);
    return envelope;
  };
}

/** What was built again keeps the first plan's account and time: whatever happened to the account since then may have been the first. */
function toPlan(asked: EnvelopeRequest, built: Build, envelope: Envelope, before: PlanRow | null): PlanWrite {
  return {
    id: envelope.plan_id,
    authority: asked.request.authority,
    account: built.account,
    newAccountIndex: before === null ? built.newAccountIndex : before.new_account_index,
    envelope,
    lastValidBlockHeight: built.blockhash.lastValidBlockHeight,
    unixTimestamp: before?.unix_timestamp ?? built.unixTimestamp,
  };
}

function usedOtherwise(callName: string): LendingError {
  return new LendingError('CALLER__IDEMPOTENCY_MISMATCH', {
    message: `This idempotency_key was used with other arguments within the last 24 hours — allowed: a new idempotency_key, or the arguments of the first call — change idempotency_key and call ${callName} again`,
    context: { field: 'idempotency_key' },
  });
}

function stillBuilding(callName: string): LendingError {
  return new LendingError('DATA__UNAVAILABLE', {
    message: `Another call with this idempotency_key is still being answered — allowed: the same call in a few seconds, which gives the same plan — call ${callName} again`,
    context: { field: 'idempotency_key' },
  });
}

function tookTooLong(cause: unknown): LendingError {
  return new LendingError('CHAIN__RPC_TIMED_OUT', {
    message: `The answers of the node, of oracles and of aggregators took more than ${DEADLINE_MS / 1000} s, all together`,
    cause,
  });
}

function nobodyWaits(cause: unknown): LendingError {
  return new LendingError('CALLER__CONNECTION_UNAVAILABLE', {
    message:
      'The call was given up before its answer was there — allowed: waiting for it — make the same call again, with the same idempotency_key where one was used',
    cause,
  });
}

function expiring(seconds: number): Warning {
  return {
    level: 'warning',
    code: 'BLOCKHASH_EXPIRING',
    message: `The blockhash lives for another ${seconds} s: sign and send at once, or make the same call again after that.`,
  };
}
