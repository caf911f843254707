import { type FractionE18, parseFraction } from '@lending/domain';
import type { EpochRate } from '@lending/venues';
import type { Address } from '@solana/kit';

/** When something was read, with the epoch it fell into. */
export interface EpochMoment {
  readonly slot: bigint;
  /** Seconds. */
  readonly unixTimestamp: bigint;
  readonly epoch: bigint;
  /** When the epoch began, seconds. */
  readonly epochStart: bigint;
  /** Measured length of a slot. */
  readonly slotMicros: bigint;
}

/** A native exchange rate as it was last measured before some time. */
export interface RecalledRate {
  readonly rateE18: FractionE18;
  readonly time: Date;
}

/** Asks history for what was last measured at or before a time, by bank or reserve. */
export type RecalledRates = (before: Date) => Promise<ReadonlyMap<string, RecalledRate>>;

/** What the store answers, in the poller's words. */
export function toRecalledRates(
  rows: readonly { readonly address: string; readonly native_exchange_rate: string; readonly time: Date }[],
): ReadonlyMap<string, RecalledRate> {
  return new Map(
    rows.map((row) => [row.address, { rateE18: parseFraction(row.native_exchange_rate), time: row.time }]),
  );
}

export interface EpochRecallOptions {
  readonly recall: RecalledRates | null;
  readonly onRecallFailure: (error: unknown) => void;
}

/** Fills what a process that began lately has not seen itself. */
export interface EpochRecall {
  /** What is known of a token with the ends of the last two epochs, as far as history has them by now. It is asked beside. */
  complete(holder: Address, known: readonly EpochRate[], moment: EpochMoment): readonly EpochRate[];
  idle(): Promise<void>;
}

const SLOTS_PER_EPOCH = 432_000n;
/** Where the epoch before began is reckoned from the pace of the last hour, so its end is looked for this much earlier; seconds. */
const RECKONING_SLACK = 7_200n;
const RETRY_MS = 60_000;

/** The past of one epoch: what was measured last in each of the two before. */
interface Past {
  readonly epoch: bigint;
  readonly ends: readonly { readonly epoch: bigint; readonly rates: ReadonlyMap<string, RecalledRate> }[];
}

export function recallEpochRates({ recall, onRecallFailure }: EpochRecallOptions): EpochRecall {
  let past: Past | null = null;
  let asking: Promise<void> | undefined;
  let askAgainAtMs = Number.NEGATIVE_INFINITY;

  async function ask(recalled: RecalledRates, moment: EpochMoment): Promise<void> {
    askAgainAtMs = performance.now() + RETRY_MS;
    try {
      const ends = endsOf(moment);
      const rates = await Promise.all(ends.map(({ before }) => recalled(toDate(before))));
      past = {
        epoch: moment.epoch,
        ends: ends.map(({ epoch, after }, index) => ({ epoch, rates: since(rates[index], after) })),
      };
    } catch (error) {
      onRecallFailure(error);
    } finally {
      asking = undefined;
    }
  }

  return {
    complete(holder, known, moment) {
      const missing = [moment.epoch - 2n, moment.epoch - 1n].filter((epoch) =>
        known.every((each) => each.epoch !== epoch),
      );
      if (missing.length === 0 || recall === null) return known;
      if (past?.epoch !== moment.epoch) {
        if (performance.now() >= askAgainAtMs) asking ??= ask(recall, moment);
        return known;
      }
      const found = past.ends.flatMap(({ epoch, rates }) => {
        const rate = missing.includes(epoch) ? rates.get(holder) : undefined;
        return rate === undefined ? [] : [{ epoch, rateE18: rate.rateE18 }];
      });
      return [...known, ...found].toSorted((a, b) => Number(a.epoch - b.epoch));
    },
    idle: async () => asking,
  };
}

/** When each of the two epochs before was last to be seen, and since when; seconds. */
function endsOf({ epoch, epochStart, slotMicros }: EpochMoment) {
  const length = (SLOTS_PER_EPOCH * slotMicros) / 1_000_000n;
  const earlier = epochStart - length - RECKONING_SLACK;
  return [
    { epoch: epoch - 2n, before: earlier, after: earlier - length / 2n },
    { epoch: epoch - 1n, before: epochStart - 1n, after: epochStart - length / 2n },
  ];
}

/** A rate from long before the end of an epoch may be from before its rewards. */
function since(rates: ReadonlyMap<string, RecalledRate> | undefined, after: bigint): ReadonlyMap<string, RecalledRate> {
  return new Map([...(rates ?? [])].filter(([, { time }]) => time >= toDate(after)));
}

function toDate(seconds: bigint): Date {
  return new Date(Number(seconds) * 1_000);
}
