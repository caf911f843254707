import { type Build, buildAction, buildLeverage } from '@lending/api';
import { isLendingError } from '@lending/errors';
import { createLimitMemory, type LimitMemory } from '@lending/transactions';
import type { KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOwnPool } from '../src/builders/aims/draw.ts';
import { PLAIN_ACTIONS } from '../src/builders/aims/plain-actions.ts';
import type { Attempt } from '../src/builders/attempt.ts';
import { createDice } from '../src/builders/dice.ts';
import { createHistogram } from '../src/builders/histogram.ts';
import { landBuild } from '../src/builders/land-build.ts';
import { lendFromAll, touchAll } from '../src/builders/touch-all.ts';
import type { LeverageAttempt } from '../src/leverage/attempt-leverage.ts';
import { CLOSE_AIMS } from '../src/leverage/close-aims.ts';
import type { LeverageScene } from '../src/leverage/leverage-aim.ts';
import { type LeverageWorld, openLeverageWorld } from '../src/leverage/leverage-world.ts';
import { LOOP_AIMS } from '../src/leverage/loop-aims.ts';

/** `LANDING_SEED=7` makes others, `LANDING_COUNT=1000` more. */
const SEED = process.env.LANDING_SEED ?? '20261128';
const COUNT = Number(process.env.LANDING_COUNT ?? '60');
const CALL = { callName: 'the test', aggregatorKeys: { jupiter: null, dflow: null } };

const LEVERAGE = ['a loop into a new account', 'a close of a part or all', 'a close with the banks left out'];
/** What mostly goes well: only what is built can land. */
const AIMS = [...PLAIN_ACTIONS, ...[...LOOP_AIMS, ...CLOSE_AIMS].filter(({ name }) => LEVERAGE.includes(name))];

type Requested = Omit<Attempt, 'aim'> | Omit<LeverageAttempt, 'aim'>;

class Refused extends Error {}

let world: LeverageWorld;

/**
 * The simulation shows what a transaction takes where every bank and reserve was touched in the same second. It lands where interest has
 * accrued in all of them.
 */
describe(`${COUNT} builds, each as the first of its process, seed ${SEED}`, () => {
  beforeAll(async () => {
    world = await openLeverageWorld();
    const { ledger, banks } = world;
    lendFromAll(
      ledger,
      banks.filter(isOwnPool).map(({ address }) => address),
    );
  });

  afterAll(async () => {
    await world?.stop();
  });

  it('[landing-later] land two to ten seconds after they were built', async () => {
    const dice = createDice(`landing ${SEED}`);
    const wheel = AIMS.flatMap((aim) => Array.from({ length: aim.weight }, () => aim));
    const tally = createHistogram();
    const failures: string[] = [];
    for (let turn = 0; tally.of('built', 'all') < COUNT && turn < COUNT * 3; turn += 1) {
      const aim = AIMS[turn] ?? dice.pick(wheel);
      const attempt = async (request: Requested): Promise<never> => {
        const { first, again, seconds, failure } = await buildAndLand(request, dice.between(2, 10));
        const { kind } = request.request;
        tally.bump('built', 'all');
        tally.bump('kind', kind);
        tally.bump('seconds', String(seconds));
        tally.bump(`waves of a ${kind} in an empty memory`, String(first.waves));
        tally.bump(`waves of a ${kind} that is known`, String(again.waves));
        if (failure !== null) failures.push(`${aim.name}, ${seconds} s: ${JSON.stringify(failure)}`);
        if (again.waves >= first.waves) failures.push(`${aim.name}: ${first.waves} waves, then ${again.waves}`);
        throw new Refused('there is nothing to follow');
      };
      const scene = { world, dice, attempt } satisfies Omit<LeverageScene, 'attempt'> & { readonly attempt: unknown };
      await aim.play(scene as never).catch((error: unknown) => {
        if (isLendingError(error)) tally.bump('refused', error.code);
        else if (!(error instanceof Refused)) throw error;
      });
    }
    process.stdout.write(`${COUNT} builds, seed ${SEED}\n${tally.lines().join('\n')}\n`);
    expect(failures.slice(0, 5)).toEqual([]);
    expect(tally.of('built', 'all')).toBe(COUNT);
    for (const kind of ['create_account', 'deposit', 'withdraw', 'borrow', 'repay', 'loop', 'close_position']) {
      expect(tally.of('kind', kind), kind).toBeGreaterThan(0);
    }
  });
});

/** Builds twice: in an empty memory, which is the build that lands later, and as one of a kind that is known, when that is later. */
async function buildAndLand(request: Requested, seconds: number) {
  const { ledger } = world;
  touchAll(ledger);
  world.settle();
  const limits = createLimitMemory();
  const first = await build(request, limits);
  world.pass(seconds);
  const again = await build(request, limits);
  const { failure } = await landBuild(ledger, first, request.wallet satisfies KeyPairSigner);
  return { first, again, seconds, failure };
}

function build(request: Requested, limits: LimitMemory): Promise<Build> {
  const deps = { ...world.deps, ...request.deps, limits };
  return 'pair' in request ? buildLeverage(deps, request.request, CALL) : buildAction(deps, request.request, CALL);
}
