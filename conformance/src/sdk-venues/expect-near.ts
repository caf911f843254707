import { expect } from 'vitest';

/** What the SDKs are held to. */
const RELATIVE = 1e-6;
/** Our fractions end at their eighteenth decimal, and a rate is a product of some: nobody earns less than this. */
const LAST_DECIMALS = 1e-15;

const furthest = new Map<string, number>();

/** How far apart numbers were at most, relative to their size, by what was compared. */
export function reportDistances(): string[] {
  return [...furthest].map(([what, distance]) => `${what}: ${distance.toExponential(1)}`);
}

/**
 * Holds a number of ours against the SDK's, within a millionth of it.
 * @param absolute what else they may be apart, where rounding of either is known to leave that much.
 */
export function expectNear(what: string, ours: number, theirs: number, absolute = 0): void {
  const distance = Math.abs(ours - theirs);
  const size = Math.max(Math.abs(ours), Math.abs(theirs));
  const allowed = Math.max(size * RELATIVE, absolute, LAST_DECIMALS);
  if (!(distance <= allowed))
    expect.fail(`${what}: ${ours} against ${theirs} of the SDK, ${(distance / size).toExponential(2)} apart`);
  if (distance > Math.max(absolute, LAST_DECIMALS))
    furthest.set(what, Math.max(furthest.get(what) ?? 0, distance / size));
}

/** A fraction of eighteen decimals as a float; unknown is nowhere near anything. */
export function float(valueE18: bigint | null): number {
  return valueE18 === null ? Number.NaN : Number(valueE18) / 1e18;
}

/**
 * What an APY may be off that is computed by raising a double to the 63,072,000th power: its base, just above one, ends at the 52nd bit.
 * @param aprError what the APR is off itself.
 */
export function powerError(apy: number, aprError = 0): number {
  return (63_072_000 * 2 ** -52 + aprError) * (1 + apy);
}
