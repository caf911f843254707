import type { Chain } from '@lending/chain';
import { type Logger, type Metrics, runBeat } from '@lending/runtime';

/** What a slot is meant to last, microseconds. */
const NOMINAL_SLOT_MICROS = 400_000n;
/** How often it is asked whether to measure again, and where measuring failed, at first. */
const LOOK_MS = 1_000;
/** Failures in a row after which it is said. Pauses grow to ten seconds, so that is after about a minute. */
const WARN_AFTER = 10;

export interface SlotTimeOptions {
  readonly chain: Chain;
  /** How often it is measured again, in milliseconds. */
  readonly refreshMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The measured length of a slot. */
export interface SlotTime {
  /** Microseconds. The first question waits for the first measurement, whatever comes of it. */
  get(): Promise<bigint>;
  /** Measures until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Measures the chain's pace beside the beats. A node that does not say keeps the last measured pace, and before there was one the
 * pace a slot is meant to have: rates are then a little off, which a metric says, instead of missing.
 */
export function createSlotTime({ chain, refreshMs, logger, metrics }: SlotTimeOptions): SlotTime {
  const asked = Promise.withResolvers<void>();
  let measured: bigint | null = null;
  metrics.gauge({
    name: 'chain.slot.time',
    help: 'Milliseconds of a slot that go into slot-based rates',
    collect: () => Number(measured ?? NOMINAL_SLOT_MICROS) / 1_000,
  });
  metrics.gauge({
    name: 'chain.slot.guess',
    help: '1 while the length of a slot was never measured and its nominal length stands in',
    collect: () => (measured === null ? 1 : 0),
  });
  const failures = metrics.counter({ name: 'chain.slot.fail', help: 'Measurements of slot time that failed' });
  let [measuredAt, failuresInARow] = [Number.NEGATIVE_INFINITY, 0];

  async function measure(signal: AbortSignal): Promise<void> {
    if (performance.now() - measuredAt < refreshMs) return;
    try {
      measured = await chain.fetchSlotTime({ signal });
      measuredAt = performance.now();
      failuresInARow = 0;
    } finally {
      asked.resolve();
    }
  }

  function fail(error: unknown): void {
    failures.inc();
    failuresInARow += 1;
    // A node that began a moment ago has counted too few slots, and will not be worth a word in a minute.
    if (failuresInARow === WARN_AFTER) logger.warn('chain.slot.fail', { error, isGuess: measured === null });
  }

  return {
    async get() {
      await asked.promise;
      return measured ?? NOMINAL_SLOT_MICROS;
    },
    run: (signal) => runBeat(Math.min(LOOK_MS, refreshMs), signal, measure, { onError: fail }),
  };
}
