import type { AccountUpdate, ProgramEvent, ProgramSource, ProgramTarget } from '@lending/chain';
import type { Logger, Metrics } from '@lending/runtime';
import type { Slot } from '@solana/kit';

export type GapEvent = Extract<ProgramEvent, { readonly kind: 'gap' }>;
export type AccountEvent = Extract<ProgramEvent, { readonly kind: 'account' }>;
export type TransactionEvent = Extract<ProgramEvent, { readonly kind: 'transaction' }>;
export type SlotEvent = Extract<ProgramEvent, { readonly kind: 'slot' }>;

/** Who is told what the source says, in its order. */
export interface ProgramSink {
  /**
   * Resolves when what the gap means is recorded (a listing is due, a segment is durable); the stream waits for it. Retries by
   * itself, and rejects only when the stream is stopped.
   */
  gap(event: GapEvent): Promise<void>;
  /** Enqueues only, as do the two below. */
  account(event: AccountEvent): void;
  transaction(event: TransactionEvent): void;
  slot(event: SlotEvent): void;
  /** Resolves when there is room for more; null while there is. The stream waits for it after every event. */
  room(): Promise<void> | null;
  /** Newest slot up to which everything told to this sink is durable in the topics; null while nothing was told. */
  durableSlot(): Slot | null;
}

/** The same sink without the accounts that it does not want. One that is gone has no data, and reaches every sink. */
export function withAccounts(sink: ProgramSink, isWanted: (data: AccountUpdate['data']) => boolean): ProgramSink {
  return {
    ...sink,
    account(event) {
      const { data } = event.update;
      if (data.length === 0 || isWanted(data)) sink.account(event);
    },
  };
}

export interface FollowProgramOptions {
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Tells all sinks everything the source says, until the signal aborts. A sink whose queue is full makes the stream wait, and with
 * it the source, which starts over with a gap when too much waits there: memory stays bounded and nothing is lost.
 */
export async function followProgram(
  source: ProgramSource,
  target: ProgramTarget,
  sinks: readonly ProgramSink[],
  { signal, logger, metrics }: FollowProgramOptions,
): Promise<void> {
  const gaps = metrics.counter({ name: 'program.stream.gap', help: 'Times the stream may have missed something' });
  const events = metrics.counter({
    name: 'program.stream.event',
    help: 'What the source told, by kind',
    labels: ['kind'],
  });
  for await (const event of source.watch(target, { signal })) {
    events.inc({ kind: event.kind });
    if (event.kind === 'gap') {
      gaps.inc();
      const { fromSlot, toSlot } = event;
      // A polling source tells a gap with every beat; only one that was not announced is news.
      const say = source.kind === 'polling' ? logger.debug : logger.info;
      say('program.stream.gap', { source: source.kind, fromSlot, toSlot });
    }
    const waits = sinks.map((sink) => tell(sink, event)).filter((wait) => wait !== null);
    if (waits.length > 0) await untilStopped(Promise.all(waits), signal);
    if (signal.aborted) return;
  }
}

/** A sink that waits for the log must not hold up a stop. */
async function untilStopped(telling: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const stop = (): void => resolve();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (!signal.aborted) await Promise.race([telling, stopped]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    telling.catch(() => undefined);
  }
}

function tell(sink: ProgramSink, event: ProgramEvent): Promise<void> | null {
  switch (event.kind) {
    case 'gap':
      return sink.gap(event);
    case 'account':
      sink.account(event);
      break;
    case 'transaction':
      sink.transaction(event);
      break;
    case 'slot':
      sink.slot(event);
      break;
  }
  return sink.room();
}
