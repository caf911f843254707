import { expect } from 'vitest';
import { createDice, type Dice } from './dice.ts';

/** A kind of thing that is drawn. */
export interface Aim<TScene> {
  readonly name: string;
  /** How often, relative to the others. */
  readonly weight: number;
  play(scene: TScene): Promise<void>;
}

/** How often what came up, along named axes. */
export class Tally {
  readonly #counts = new Map<string, Map<string, number>>();

  bump(axis: string, value: string): void {
    const values = this.#counts.get(axis) ?? new Map<string, number>();
    values.set(value, (values.get(value) ?? 0) + 1);
    this.#counts.set(axis, values);
  }

  of(axis: string, value: string): number {
    return this.#counts.get(axis)?.get(value) ?? 0;
  }

  /** All of an axis. */
  total(axis: string): number {
    return [...(this.#counts.get(axis)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  }

  /** A line for each axis, the most frequent first. */
  lines(): readonly string[] {
    return [...this.#counts].map(([axis, values]) => {
      const parts = [...values].sort(([, a], [, b]) => b - a).map(([value, count]) => `${value} ${count}`);
      return `  ${axis}: ${parts.join(', ')}`;
    });
  }
}

/** The seed and the count of a suite: `NAME_SEED=7` draws other things, `NAME_COUNT=2000` more. */
export function randomSettings(name: string, usual: { readonly seed: string; readonly count: number }) {
  const { [`${name}_SEED`]: seed = usual.seed, [`${name}_COUNT`]: count = usual.count } = process.env;
  return { seed, count: Number(count) };
}

export interface RandomSuite<TScene> {
  /** What is asked, for the report. */
  readonly title: string;
  readonly seed: string;
  readonly aims: readonly Aim<TScene>[];
  /** Whether enough came up. */
  isEnough(tally: Tally, turn: number): boolean;
  /** What an aim has at hand. */
  sceneOf(aim: Aim<TScene>, dice: Dice, tally: Tally): TScene;
  /** What happens between two turns. */
  between?(dice: Dice): void;
  /** How many are under way at a time; default 1. What an aim draws before it first waits is the same for the same seed. */
  readonly atOnce?: number;
}

/** What is worth reading of many failures. */
const SHOWN_FAILURES = 5;

/**
 * Draws one thing after the other, each aim once before chance decides, and prints what came up.
 * @throws AssertionError with what went wrong in single turns, and the seed that shows it again.
 */
export async function askAtRandom<TScene>(suite: RandomSuite<TScene>): Promise<Tally> {
  const { title, seed, aims, atOnce = 1 } = suite;
  const dice = createDice(`${title} ${seed}`);
  const wheel = aims.flatMap((aim) => Array.from({ length: aim.weight }, () => aim));
  const tally = new Tally();
  const failures: string[] = [];
  let next = 0;
  const ask = async () => {
    while (!suite.isEnough(tally, next)) {
      const aim = aims[next] ?? dice.pick(wheel);
      next += 1;
      await aim.play(suite.sceneOf(aim, dice, tally)).catch((error: unknown) => {
        failures.push(`${aim.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      });
      suite.between?.(dice);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  process.stdout.write(`${title}, seed ${seed}\n${tally.lines().join('\n')}\n`);
  expect(failures.slice(0, SHOWN_FAILURES), `${failures.length} failures of ${title}, seed ${seed}`).toEqual([]);
  return tally;
}
