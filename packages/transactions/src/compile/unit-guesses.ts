import type { Instruction } from '@solana/kit';
import { kindOf } from './instruction-kind.ts';

/** Units of kinds of instructions, from which those of a transaction nobody simulated yet are guessed. */
export interface UnitGuesses {
  /** Null where a kind of instruction in it was never seen. */
  guess(instructions: readonly Instruction[]): number | null;
  /** @param units null for an instruction of which it is not known. */
  learn(instructions: readonly Instruction[], units: readonly (number | null)[]): void;
}

/** The kind that was not met for longest is forgotten. */
export function createUnitGuesses(maxKinds: number): UnitGuesses {
  const kinds = new Map<string, Map<number, number>>();
  return {
    guess(instructions) {
      let sum = 0;
      for (const instruction of instructions) {
        const seen = kinds.get(kindOf(instruction));
        if (seen === undefined) return null;
        sum += guessOne(seen, instruction.accounts?.length ?? 0);
      }
      return sum;
    },
    learn(instructions, units) {
      instructions.forEach((instruction, index) => {
        const taken = units[index] ?? null;
        if (taken === null) return;
        const kind = kindOf(instruction);
        const seen = kinds.get(kind) ?? new Map<number, number>();
        const accounts = instruction.accounts?.length ?? 0;
        seen.set(accounts, Math.max(taken, seen.get(accounts) ?? 0));
        kinds.delete(kind);
        kinds.set(kind, seen);
      });
      for (const kind of kinds.keys()) {
        if (kinds.size <= maxKinds) break;
        kinds.delete(kind);
      }
    },
  };
}

/** The most that instructions no longer than the next longer one took; what is longer than all of them takes more in proportion. */
function guessOne(seen: ReadonlyMap<number, number>, accounts: number): number {
  const longest = Math.max(...seen.keys());
  const enough = Math.min(longest, ...[...seen.keys()].filter((each) => each >= accounts));
  const most = Math.max(...[...seen].filter(([each]) => each <= enough).map(([, units]) => units));
  return accounts <= longest ? most : Math.ceil((most * accounts) / Math.max(longest, 1));
}
