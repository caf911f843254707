/** The ends of the integers that programs count in. */
export const U64_MAX = 2n ** 64n - 1n;
export const I64_MAX = 2n ** 63n - 1n;
export const I64_MIN = -(2n ** 63n);

/** `Math.min` and `Math.max` do not take bigints. */
export function smallerOf(one: bigint, other: bigint): bigint {
  return other < one ? other : one;
}

export function largerOf(one: bigint, other: bigint): bigint {
  return other > one ? other : one;
}
