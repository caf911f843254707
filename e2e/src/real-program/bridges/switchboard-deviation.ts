/** A twenty-fifth of the value; 1.96 of it lies between the five per cent of the cap and the ten of the refusal. */
const PART = 25n;

/**
 * The ELF forgets that a Switchboard feed's deviation has eighteen decimals: whatever it is, the price's interval is the cap, five per
 * cent. Today's program takes 1.96 of it, and refuses a price beyond ten per cent. A feed that deviates by so much is five per cent for both.
 */
export function cappedDeviation(value: bigint): bigint {
  return value / PART;
}
