import { describe, expect, it } from 'vitest';
import { judge } from '../src/builders/justify.ts';
import { randomSettings } from '../src/builders/random.ts';
import { askBuilders, LEVERAGE_AIMS } from '../src/builders/random-requests.ts';
import { useScene } from '../src/builders/scene.ts';

const { seed, count } = randomSettings('LEVERAGE', { seed: '20261122', count: 30 });
const LEAST_LANDED = 0.35;

const scene = useScene('leverage random', judge);

describe(`${count} random loops and closes, seed ${seed}`, () => {
  it('[leverage-random] land as promised, or are refused as the chain would', async () => {
    const tally = await askBuilders(scene.world, {
      title: 'leverage',
      seed,
      aims: LEVERAGE_AIMS,
      isEnough: (seen, turn) =>
        turn >= LEVERAGE_AIMS.length && (seen.total('kind') >= count || turn > LEVERAGE_AIMS.length + count * 3),
    });
    expect(tally.of('outcome', 'landed') / tally.total('outcome')).toBeGreaterThanOrEqual(LEAST_LANDED);
  });
});
