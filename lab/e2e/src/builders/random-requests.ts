import { isLendingError } from '@lending/errors';
import { createLimitMemory } from '@lending/transactions';
import { tokenKindOf } from './accounts.ts';
import { CLOSE_AIMS } from './aims/close-aims.ts';
import { EDGE_AIMS } from './aims/edge-aims.ts';
import { LOOP_AIMS } from './aims/loop-aims.ts';
import { ODD_AIMS } from './aims/odd-aims.ts';
import { PLAIN_AIMS } from './aims/plain-aims.ts';
import { REFUSED_AIMS } from './aims/refused-aims.ts';
import { type Attempt, type Attempted, build, refusalOf } from './attempt.ts';
import { touchAll } from './chain-edits.ts';
import { judge } from './justify.ts';
import { landBuild } from './land-build.ts';
import { askAtRandom, type RandomSuite, type Tally } from './random.ts';
import { Scene } from './scene.ts';
import type { BuildersWorld } from './world.ts';

/** Everything that random requests aim at; a seed stands for the same requests as long as this order does. */
export const ACTION_AIMS = [...PLAIN_AIMS, ...EDGE_AIMS, ...REFUSED_AIMS, ...ODD_AIMS];
export const LEVERAGE_AIMS = [...LOOP_AIMS, ...CLOSE_AIMS];

const LEVERAGE = ['a loop into a new account', 'a close of a part or all', 'a close with the banks left out'];
/** What mostly goes well, and is one request. */
export const LANDING_AIMS = [...PLAIN_AIMS, ...LEVERAGE_AIMS.filter(({ name }) => LEVERAGE.includes(name))];

interface Suite extends Pick<RandomSuite<Scene>, 'title' | 'seed' | 'aims' | 'isEnough'> {
  /** The one version of transactions that the chain takes; default: as drawn. */
  readonly version?: 0;
}

/** What is too large is shown by the version with more room, which this chain does not take. */
function withVersion(attempt: Attempt, version: 0 | undefined): Attempt {
  if (version === undefined) return attempt;
  const expects = [...(attempt.expects ?? []), 'TX_TOO_LARGE'];
  return { ...attempt, expects, request: { ...attempt.request, version } } as Attempt;
}

/** Makes random requests while time passes: what is built lands as promised, what is refused the chain would refuse. */
export function askBuilders(world: BuildersWorld, suite: Suite): Promise<Tally> {
  return askAtRandom({
    ...suite,
    sceneOf: (aim, dice, tally) =>
      new Scene(
        () => world,
        dice,
        async (_, drawn) => {
          const attempt = withVersion(drawn, suite.version);
          const outcome = await judge(world, { ...attempt, aim: aim.name });
          count(tally, world, attempt, outcome);
          return outcome;
        },
      ),
    between(dice) {
      if (dice.chance(20)) world.pass(dice.between(1, 300));
    },
  });
}

function count(
  tally: Tally,
  { ledger }: BuildersWorld,
  { request, bank, pair }: Attempt,
  outcome: Awaited<ReturnType<typeof judge>>,
): void {
  const { kind, version } = request;
  const acted = bank ?? pair?.deposit;
  tally.bump('kind', kind);
  tally.bump('version', `v${version}`);
  if (acted !== undefined) {
    tally.bump('venue', acted.venue);
    tally.bump('token', tokenKindOf(ledger, acted));
  }
  if (outcome.kind === 'landed') {
    const { transactions, submit, simulatedBy, swap } = outcome.build;
    tally.bump('outcome', 'landed');
    tally.bump('envelope', `${submit} ${transactions.map(({ type }) => type).join(' ')}, ${simulatedBy}`);
    if (pair !== undefined) tally.bump('swapped by', swap?.quote.aggregator ?? 'none');
    return;
  }
  const { code, shown } = outcome;
  tally.bump('outcome', code);
  tally.bump('justified', shown.kind === 'shown' ? `${code}: ${shown.by}` : 'failed on the chain');
  if (shown.kind === 'failed_on_chain' && shown.code !== code)
    tally.bump('called otherwise by the chain', `${code}: ${shown.code} ${shown.error}`);
}

/**
 * Makes random builds, each as the first of its process, that land two to ten seconds later: the simulation shows what a transaction takes
 * where every bank and reserve was touched in the same second, and it lands where interest has accrued in all of them.
 */
export function askToLandLater(world: BuildersWorld, suite: Suite): Promise<Tally> {
  return askAtRandom({
    ...suite,
    sceneOf: (_aim, dice, tally) =>
      new Scene(
        () => world,
        dice,
        (_, drawn) => landLater(world, withVersion(drawn, suite.version), dice.between(2, 10), tally),
      ),
  });
}

/** Builds twice: in an empty memory, which is the build that lands later, and as one of a kind that is known, when that is later. */
async function landLater(world: BuildersWorld, attempt: Attempt, seconds: number, tally: Tally): Promise<Attempted> {
  const { request, wallet } = attempt;
  const deps = { ...world.deps, ...attempt.deps, limits: createLimitMemory() };
  touchAll(world.ledger);
  world.settle();
  try {
    const first = await build(deps, request);
    world.pass(seconds);
    const again = await build(deps, request);
    tally.bump('kind', request.kind);
    tally.bump('seconds', String(seconds));
    tally.bump(`waves of a ${request.kind} in an empty memory`, String(first.waves));
    tally.bump(`waves of a ${request.kind} that is known`, String(again.waves));
    const { failure } = await landBuild(world.ledger, first, wallet);
    if (failure !== null) throw new Error(`after ${seconds} s: ${JSON.stringify(failure)}`);
    if (again.waves >= first.waves) throw new Error(`${first.waves} waves, then ${again.waves}`);
    return { kind: 'landed', build: first, moved: { supplied: 0n, lent: 0n } };
  } catch (error) {
    if (!isLendingError(error)) throw error;
    tally.bump('refused', error.code);
    return refusalOf(error);
  }
}
