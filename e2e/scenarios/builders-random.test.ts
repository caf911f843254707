import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Aim, Scene } from '../src/builders/aims/aim.ts';
import { AIMS } from '../src/builders/aims.ts';
import { makeAttempt } from '../src/builders/attempt.ts';
import { type BuildersWorld, openBuildersWorld } from '../src/builders/builders-world.ts';
import { createDice } from '../src/builders/dice.ts';
import { createTally, type Tally } from '../src/builders/tally.ts';

/** `BUILDERS_SEED=7` makes others, `BUILDERS_COUNT=2000` more, with which the least counts below grow. A few more are made where chance was unkind. */
const SEED = process.env.BUILDERS_SEED ?? '20261121';
const COUNT = Number(process.env.BUILDERS_COUNT ?? '150');
const FULL_COUNT = 2_000;
/** Of a full run: so often each code of the builders; so often each venue, side and kind of token. */
const [LEAST_PER_CODE, LEAST_PER_KIND] = [20, 100];
const LEAST_REFUSED = 0.3;

/** What a plain builder may answer instead of an envelope. */
const CODES = [
  'INVALID_ARGUMENT',
  'BANK_NOT_FOUND',
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_AMBIGUOUS',
  'BORROW_LIMIT_EXCEEDED',
  'WITHDRAW_LIMIT_EXCEEDED',
  'DEPOSIT_LIMIT_EXCEEDED',
  'REPAY_LIMIT_EXCEEDED',
  'INSUFFICIENT_BALANCE',
  'INSUFFICIENT_COLLATERAL',
  'BANK_NOT_BORROWABLE',
  'BANK_PAUSED',
  'ORACLE_STALE',
  'ASSET_TAG_CONFLICT',
  'BALANCE_SLOTS_FULL',
  'TX_TOO_LARGE',
  'SIMULATION_FAILED',
  'POLICY_REFUSED',
] as const;
const KINDS = {
  venue: ['p0', 'kamino', 'drift', 'juplend', 'solend'],
  side: ['deposit', 'withdraw', 'borrow', 'repay'],
  token: ['SOL', 'SPL', 'Token-2022', 'Token-2022 with fee'],
} as const;

let world: BuildersWorld;
let tally: Tally;

describe(`${COUNT} random requests of the builders, seed ${SEED}`, () => {
  beforeAll(async () => {
    world = await openBuildersWorld();
    tally = createTally(world.ledger);
  });

  afterAll(async () => {
    await world?.stop();
  });

  it('[builders-random] land as promised, or are refused as the chain would', async () => {
    const dice = createDice(`builders ${SEED}`);
    const wheel = AIMS.flatMap((aim) => Array.from({ length: aim.weight }, () => aim));
    const failures: string[] = [];
    for (let turn = 0; tally.total < COUNT || (lacks().length > 0 && tally.total < COUNT * 1.2); turn += 1) {
      // Everything comes up once before chance decides.
      const aim = AIMS[turn] ?? dice.pick(wheel);
      await aim.play({ world, dice, attempt: (attempt) => count(aim, attempt) }).catch((error: unknown) => {
        failures.push(`${aim.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      });
      if (dice.chance(20)) world.pass(dice.between(1, 300));
    }
    process.stdout.write(`${tally.describe(SEED)}\n`);
    expect(failures.slice(0, 5)).toEqual([]);
  });

  it('[builders-random] meet every code, venue, side and kind of token often enough', () => {
    expect(lacks()).toEqual([]);
    expect(tally.refused / tally.total).toBeGreaterThanOrEqual(LEAST_REFUSED);
  });
});

/** What has not come up often enough. */
function lacks(): readonly string[] {
  // Chance is unkinder to a sample.
  const share = COUNT < FULL_COUNT ? COUNT / FULL_COUNT / 2 : 1;
  const wanted = [
    ...CODES.map((code) => ['outcome', code, LEAST_PER_CODE] as const),
    ...Object.entries(KINDS).flatMap(([axis, values]) => values.map((value) => [axis, value, LEAST_PER_KIND] as const)),
  ];
  return wanted.flatMap(([axis, value, least]) => {
    const seen = tally.of(axis, value);
    return seen < Math.max(1, Math.floor(least * share)) ? [`${value}: ${seen}`] : [];
  });
}

async function count(aim: Aim, attempt: Parameters<Scene['attempt']>[0]) {
  const outcome = await makeAttempt(world, { ...attempt, aim: aim.name });
  tally.add(attempt, outcome);
  return outcome;
}
