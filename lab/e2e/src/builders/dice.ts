import { createHash } from 'node:crypto';
import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from '@solana/kit';

/** Numbers that are the same for the same seed. */
export function createChance(seed: string): (below: number) => number {
  let [block, offset, count] = [Buffer.alloc(0), 0, 0];
  return (below) => {
    if (offset + 4 > block.length) {
      block = createHash('sha256').update(`${seed} ${count}`).digest();
      [offset, count] = [0, count + 1];
    }
    offset += 4;
    return block.readUInt32LE(offset - 4) % below;
  };
}

/** Chance that falls the same way for the same seed. */
export interface Dice {
  below(count: number): number;
  /** From `least` to `most`, both included. */
  between(least: number, most: number): number;
  chance(percent: number): boolean;
  /** One of what is made, or none. */
  maybe<T>(percent: number, make: () => T): readonly T[];
  pick<T>(list: readonly T[]): T;
  /** So many different ones, fewer where there are not as many. */
  some<T>(list: readonly T[], count: number): readonly T[];
  wallet(): Promise<KeyPairSigner>;
}

export function createDice(seed: string): Dice {
  const below = createChance(seed);
  let wallets = 0;
  const pick = <T>(list: readonly T[]): T => {
    const found = list[below(list.length)];
    if (found === undefined) throw new TypeError('There is nothing to pick from');
    return found;
  };
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (percent) => below(100) < percent,
    maybe: (percent, make) => (below(100) < percent ? [make()] : []),
    pick,
    some(list, count) {
      const left = [...list];
      return Array.from({ length: Math.min(count, list.length) }, () => left.splice(below(left.length), 1)).flat();
    },
    wallet() {
      wallets += 1;
      return createKeyPairSignerFromPrivateKeyBytes(createHash('sha256').update(`${seed} wallet ${wallets}`).digest());
    },
  };
}
