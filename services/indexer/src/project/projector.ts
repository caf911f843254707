import type { Batch, Bus, Consumer } from '@lending/bus';
import { describeError, isLendingError } from '@lending/errors';
import { encodeMessage, type Message, type Topic } from '@lending/events';
import {
  createOutage,
  type Logger,
  type Metrics,
  type Readiness,
  retryWithJitter,
  runWithLogFields,
} from '@lending/runtime';
import {
  advanceChainProgress,
  advanceOffset,
  holdProjection,
  isRowFailure,
  notifyProjected,
  readOffsets,
  type Store,
  type Transaction,
} from '@lending/store';
import { projectAccountUpdated } from './account-updated.ts';
import { projectActivityRecorded } from './activity-recorded.ts';
import { projectAddressFollowed } from './address-followed.ts';
import { projectBankAudited } from './bank-audited.ts';
import { projectBankMeasured } from './bank-measured.ts';
import { projectBankRejected } from './bank-rejected.ts';
import { projectBankUpdated } from './bank-updated.ts';
import { projectForkDropped } from './fork-dropped.ts';
import { projectGroupChanged } from './group-changed.ts';
import { projectIndexProgressed } from './index-progressed.ts';
import { projectOraclePriced } from './oracle-priced.ts';
import { projectOrderUpdated, projectRebalanceUpdated } from './order-updated.ts';
import { createPartitionOutage } from './partition-outage.ts';
import { projectRateBackfilled } from './rate-backfilled.ts';
import { projectRateQuarantined } from './rate-quarantined.ts';
import { projectRateSampled } from './rate-sampled.ts';
import { projectReserveUpdated } from './reserve-updated.ts';
import { projectSlotFinalized } from './slot-finalized.ts';
import { projectSwapQuoted } from './swap-quoted.ts';
import { createTipGate, type TipGate, tipOf } from './tip-gate.ts';
import { projectWalletUpdated } from './wallet-updated.ts';

/** The consumer group that all projectors share. */
export const PROJECTION_GROUP = 'projection';

/** A batch takes eight round trips to the database whatever its size, and some kB of memory a message for as long as it takes. */
const BATCH_SIZE = 3_000;

type Projection<T extends Topic> = (transaction: Transaction, messages: readonly Message<T>[]) => Promise<void>;

/** Every topic and what it becomes. */
const PROJECTIONS: { readonly [T in Topic]: Projection<T> } = {
  'account.updated.v1': projectAccountUpdated,
  'activity.recorded.v1': projectActivityRecorded,
  'address.followed.v1': projectAddressFollowed,
  'bank.audited.v1': projectBankAudited,
  'bank.measured.v1': projectBankMeasured,
  'bank.rejected.v1': projectBankRejected,
  'bank.updated.v1': projectBankUpdated,
  'fork.dropped.v1': projectForkDropped,
  'group.changed.v1': projectGroupChanged,
  'index.progressed.v1': projectIndexProgressed,
  'oracle.priced.v1': projectOraclePriced,
  'order.updated.v1': projectOrderUpdated,
  'rate.backfilled.v1': projectRateBackfilled,
  'rate.quarantined.v1': projectRateQuarantined,
  'rate.sampled.v1': projectRateSampled,
  'rebalance.updated.v1': projectRebalanceUpdated,
  'reserve.updated.v1': projectReserveUpdated,
  'slot.finalized.v1': projectSlotFinalized,
  'swap.quoted.v1': projectSwapQuoted,
  'wallet.updated.v1': projectWalletUpdated,
};

export const PROJECTED_TOPICS = Object.keys(PROJECTIONS) as readonly Topic[];

export interface ProjectorOptions {
  readonly bus: Bus;
  readonly store: Store;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  /** Writes how far the topics came as soon as they say so, for who projects all of them anew. Default: once the tables came as far. */
  readonly tipsAtOnce?: boolean;
}

interface Projecting extends ProjectorOptions {
  readonly tips: TipGate | null;
}

/**
 * Turns messages into rows, once each: the rows of a batch, the offset behind it and the notification that tells the api are
 * one transaction. A message whose row the database refuses goes to its dead topic, and its neighbours are written.
 * Resolves when the signal aborts, after the batches at hand.
 */
export async function runProjector(options: ProjectorOptions, signal: AbortSignal): Promise<void> {
  const { bus, store, logger, metrics, tipsAtOnce = false } = options;
  const tips = tipsAtOnce ? null : createTipGate({ bus, store, group: PROJECTION_GROUP });
  const outage = createOutage({
    component: options.readiness.component('projector'),
    logger,
    failEvent: 'project.batch.fail',
    resumeEvent: 'project.batch.resume',
  });
  const partitions = createPartitionOutage(outage);
  const rows = metrics.counter({ name: 'project.message.write', help: 'Messages projected', labels: ['topic'] });

  const handle = (batch: Batch): Promise<void> => {
    const { topic, partition, fromOffset } = batch;
    return runWithLogFields({ topic, partition, offset: String(fromOffset) }, () => handleBatch(batch));
  };

  async function handleBatch(batch: Batch): Promise<void> {
    try {
      await projectBatch({ ...options, tips }, batch);
      rows.inc({ topic: batch.topic }, batch.messages.length);
      partitions.recovered(batch);
    } catch (error) {
      // The fence of a rebalance, not a fault: the batch is read again from where it now stands.
      if (!isLendingError(error, 'BUS__OFFSET_MISMATCH')) partitions.failed(batch, error);
      throw error;
    }
  }

  const consumer = await join();
  if (consumer === null) return;
  outage.recovered();
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await consumer.stop();

  /** Null when the signal aborted before the log let us in. */
  async function join(): Promise<Consumer | null> {
    const consume = () =>
      bus.consume({
        group: PROJECTION_GROUP,
        topics: PROJECTED_TOPICS,
        startFrom: (partitions) => readOffsets(store, PROJECTION_GROUP, partitions),
        handle,
        maxBatchSize: BATCH_SIZE,
        signal,
      });
    let joining: Promise<Consumer> | undefined;
    const attempt = () => {
      joining = consume();
      return joining;
    };
    try {
      return await retryWithJitter(attempt, { signal, onRetry: (error) => outage.failed(error) });
    } catch (error) {
      if (!signal.aborted) throw error;
      // The retry ends before `consume` does. A consumer that is not stopped would go on reading beside the next one.
      await joining?.then(
        (consumer) => consumer.stop(),
        () => undefined,
      );
      return null;
    }
  }
}

async function projectBatch(options: Projecting, batch: Batch): Promise<void> {
  try {
    await write(options, batch);
  } catch (error) {
    if (!isRowFailure(error)) throw error;
    if (batch.messages.length > 1) await projectOneByOne(options, batch);
    else await setAside(options, batch, describeError(error));
  }
}

/** The slow way, for a batch that holds a row the database refuses: each message is a batch of its own. */
async function projectOneByOne(options: Projecting, batch: Batch): Promise<void> {
  let { fromOffset } = batch;
  for (const [index, received] of batch.messages.entries()) {
    const isLast = index === batch.messages.length - 1;
    const nextOffset = isLast ? batch.nextOffset : received.offset + 1n;
    await projectBatch(options, { ...batch, messages: [received], fromOffset, nextOffset });
    fromOffset = nextOffset;
  }
}

async function setAside(options: Projecting, batch: Batch, reason: string): Promise<void> {
  for (const { message, offset } of batch.messages) {
    const { topic, partition } = batch;
    await options.bus.bury({ topic, partition, offset, key: message.key, value: encodeMessage(message), reason });
  }
  await write(options, { ...batch, messages: [] });
}

/** Rows, offset and notification, in one transaction. */
async function write({ store, tips }: Projecting, batch: Batch): Promise<void> {
  const { group, topic, partition, fromOffset, nextOffset } = batch;
  const messages = batch.messages.map(({ message }) => message);
  const told = messages.filter(isTip);
  const tip = tips === null ? tipOf(told) : await tips.reach(told);
  await store.db.transaction().execute(async (transaction) => {
    await holdProjection(transaction);
    await project(transaction, topic, messages);
    if (tip !== null) await advanceChainProgress(transaction, [tip]);
    await advanceOffset(transaction, { group, topic, partition, fromOffset, nextOffset });
    await notifyProjected(transaction, { topic, keys: messages.map(({ key }) => key) });
  });
}

function project<T extends Topic>(transaction: Transaction, topic: T, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return Promise.resolve();
  return PROJECTIONS[topic](transaction, messages as readonly Message<T>[]);
}

function isTip(message: Message): message is Message<'slot.finalized.v1'> {
  return message.type === 'slot.finalized.v1';
}
