/**
 * The smallest whole number from 0 to `max` that passes, where all after it pass too; null when none does. Looks around `guess` first,
 * so a good one costs a handful of tries.
 */
export function smallestPassing(guess: bigint, max: bigint, passes: (value: bigint) => boolean): bigint | null {
  const within = (value: bigint) => (value < 0n ? 0n : value > max ? max : value);
  let step = 1n;
  let high = within(guess);
  while (!passes(high)) {
    if (high === max) return null;
    high = within(high + step);
    step *= 4n;
  }
  let low = high;
  for (step = 1n; low > 0n && passes(low); step *= 4n) low = within(low - step);
  if (low === 0n && passes(low)) return 0n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (passes(middle)) high = middle;
    else low = middle;
  }
  return high;
}
