import { hash } from 'node:crypto';

/** Chance that is a function of its seed and name alone: a chain that starts anew with the same seed sees the same people act. */
export interface Dice {
  /** A whole number of at least 0 and less than `sides`. */
  roll(sides: number): number;
  /** `amount × percent / 100` for a percentage between the two, both included. */
  portion(amount: bigint, lowPercent: number, highPercent: number): bigint;
}

export function createDice(name: string): Dice {
  let rolls = 0;
  const roll = (sides: number) => {
    rolls += 1;
    const digest = hash('sha256', `${name}/${rolls}`, 'buffer') as unknown as Buffer;
    return digest.readUIntBE(0, 6) % sides;
  };
  return {
    roll,
    portion: (amount, lowPercent, highPercent) =>
      (amount * BigInt(lowPercent + roll(highPercent - lowPercent + 1))) / 100n,
  };
}
