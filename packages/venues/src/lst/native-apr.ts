import type { FractionE18 } from '@lending/domain';
import { compoundGrowth } from './compound.ts';
import { type EpochRate, settledGrowth } from './epoch-rates.ts';
import type { LstReading } from './lst-reading.ts';

const SLOTS_PER_EPOCH = 432_000n;
const MICROS_PER_YEAR = 31_536_000_000_000n;

/**
 * What a token earns by itself in a year when it goes on growing as it did between two values.
 *
 * It is an effective yield, shown as it is, although the field it travels in (`nativeApr`) stands among APRs: rewards compound once an epoch,
 * and no venue's compounding applies to them. (1 + g) ^ (epochs a year) − 1, g the growth of one epoch, 182.5 epochs a year at
 * 400 ms a slot.
 * @param epochs between the two values; default 1.
 * @returns null where the two are no measure of a yield (`compoundGrowth`).
 */
export function nativeApr(
  rateNow: FractionE18,
  ratePrevious: FractionE18,
  slotMicros: bigint,
  epochs = 1n,
): FractionE18 | null {
  if (slotMicros <= 0n || epochs <= 0n) return null;
  const yearIn = { numerator: MICROS_PER_YEAR, denominator: SLOTS_PER_EPOCH * slotMicros * epochs };
  return compoundGrowth(ratePrevious, rateNow, yearIn);
}

/**
 * The native yield of a reading at an epoch: by the pool's own account of its last epoch, or by what was seen of it (`rememberRate`).
 * Null where the pool took in no rewards in this epoch or the last: its last growth is then nobody's measure of the next.
 */
export function nativeAprOf(
  reading: LstReading,
  seen: readonly EpochRate[],
  at: { readonly epoch: bigint; readonly slotMicros: bigint },
): FractionE18 | null {
  const { exchangeRateE18, previousEpochRateE18, epoch } = reading;
  if (epoch !== null && epoch + 1n < at.epoch) return null;
  if (previousEpochRateE18 !== null) return nativeApr(exchangeRateE18, previousEpochRateE18, at.slotMicros);
  const growth = settledGrowth(seen, at.epoch);
  return growth === null ? null : nativeApr(growth.last, growth.first, at.slotMicros, growth.epochs);
}
