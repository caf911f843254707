import { FRACTION_ONE, type FractionE18 } from '@lending/domain';

/** Enough digits behind the eighteen that are kept, so that no rounding reaches them. */
const SCALE = 10n ** 40n;
/** e^x is taken of x ÷ 2^HALVINGS and squared back: the series then needs few terms. */
const HALVINGS = 12n;
/** A value that doubles or halves within one step is no yield. */
const MAX_STEP = 2n;

/**
 * (last ÷ first) ^ (numerator ÷ denominator) − 1, exact to its eighteen decimals: a growth gone on with for as many steps.
 * Shape: null where there is no growth to measure: a value that is not positive, or one that doubles or halves in a step.
 */
export function compoundGrowth(
  first: bigint,
  last: bigint,
  { numerator, denominator }: { readonly numerator: bigint; readonly denominator: bigint },
): FractionE18 | null {
  // Neither of two values of which one is not positive is less than twice the other.
  if (last >= first * MAX_STEP || first >= last * MAX_STEP) return null;
  const exponent = (logarithm(first, last) * numerator) / denominator;
  return roundedFraction(exponential(exponent) - SCALE);
}

/** To the nearest, so that a growth that has few decimals keeps them. */
function roundedFraction(value: bigint): FractionE18 {
  const half = value < 0n ? -SCALE / 2n : SCALE / 2n;
  return (value * FRACTION_ONE + half) / SCALE;
}

/** ln(last ÷ first) = 2 artanh((last − first) ÷ (last + first)). */
function logarithm(first: bigint, last: bigint): bigint {
  const z = ((last - first) * SCALE) / (last + first);
  const square = (z * z) / SCALE;
  let [power, sum] = [z, 0n];
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += power / n;
    power = (power * square) / SCALE;
  }
  return 2n * sum;
}

function exponential(exponent: bigint): bigint {
  const small = exponent / 2n ** HALVINGS;
  let [term, sum] = [SCALE, 0n];
  for (let n = 1n; term !== 0n; n += 1n) {
    sum += term;
    term = (term * small) / SCALE / n;
  }
  for (let halving = 0n; halving < HALVINGS; halving += 1n) sum = (sum * sum) / SCALE;
  return sum;
}
