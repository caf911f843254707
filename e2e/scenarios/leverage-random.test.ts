import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDice } from '../src/builders/dice.ts';
import { attemptLeverage, describeAttempt, type LeverageAttempt } from '../src/leverage/attempt-leverage.ts';
import { CLOSE_AIMS } from '../src/leverage/close-aims.ts';
import { justifyLeverage } from '../src/leverage/justify-leverage.ts';
import type { LeverageAim } from '../src/leverage/leverage-aim.ts';
import { createLeverageTally } from '../src/leverage/leverage-tally.ts';
import { type LeverageWorld, openLeverageWorld } from '../src/leverage/leverage-world.ts';
import { LOOP_AIMS } from '../src/leverage/loop-aims.ts';

/** `LEVERAGE_SEED=7` makes others, `LEVERAGE_COUNT=2000` more. */
const SEED = process.env.LEVERAGE_SEED ?? '20261122';
const COUNT = Number(process.env.LEVERAGE_COUNT ?? '30');
const LEAST_LANDED = 0.35;

const AIMS = [...LOOP_AIMS, ...CLOSE_AIMS];
let world: LeverageWorld;

describe(`${COUNT} random loops and closes, seed ${SEED}`, () => {
  beforeAll(async () => {
    world = await openLeverageWorld();
  });

  afterAll(async () => {
    await world?.stop();
  });

  it('[leverage-random] land as promised, or are refused as the chain would', async () => {
    const dice = createDice(`leverage ${SEED}`);
    const wheel = AIMS.flatMap((aim) => Array.from({ length: aim.weight }, () => aim));
    const tally = createLeverageTally();
    const failures: string[] = [];
    const count = async (aim: LeverageAim, asked: Omit<LeverageAttempt, 'aim'>) => {
      const attempt = { ...asked, aim: aim.name };
      const outcome = await attemptLeverage(world, attempt);
      const context = `${describeAttempt(attempt)}: ${outcome.kind === 'refused' ? `${outcome.code} ${outcome.error.message}` : ''}`;
      const shown = outcome.kind === 'landed' ? null : await justifyLeverage(world, attempt, outcome, context);
      tally.add(attempt, outcome, shown);
      return outcome;
    };
    // Every aim comes up once before chance decides.
    for (let turn = 0; turn < AIMS.length || tally.total < COUNT; turn += 1) {
      const aim = AIMS[turn] ?? dice.pick(wheel);
      await aim.play({ world, dice, attempt: (attempt) => count(aim, attempt) }).catch((error: unknown) => {
        failures.push(`${aim.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      });
      // Nothing that failed half way counts as an endless turn.
      if (failures.length > COUNT) break;
      if (dice.chance(20)) world.pass(dice.between(1, 300));
    }
    process.stdout.write(`${tally.describe(SEED)}\n`);
    expect(failures.slice(0, 5)).toEqual([]);
    expect(tally.landed / tally.total).toBeGreaterThanOrEqual(LEAST_LANDED);
  });
});
