import { describe, expect, it } from 'vitest';
import { judge } from '../src/builders/justify.ts';
import { randomSettings, type Tally } from '../src/builders/random.ts';
import { ACTION_AIMS, askBuilders } from '../src/builders/random-requests.ts';
import { useScene } from '../src/builders/scene.ts';

const { seed, count } = randomSettings('BUILDERS', { seed: '20261121', count: 150 });
const FULL_COUNT = 2_000;
/** Of a full run: so often each code of the builders; so often each venue, kind and kind of token. */
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
  kind: ['deposit', 'withdraw', 'borrow', 'repay'],
  token: ['SOL', 'SPL', 'Token-2022', 'Token-2022 with fee'],
} as const;

const scene = useScene('builders random', judge);

describe(`${count} random requests of the builders, seed ${seed}`, () => {
  it('[builders-random] land as promised, or are refused as the chain would, and meet every code, venue, kind and token', async () => {
    const isEnough = (tally: Tally, turn: number) => {
      const total = tally.total('kind');
      // A few more are made where chance was unkind.
      return turn > count * 3 || (total >= count && (lacks(tally).length === 0 || total >= count * 1.2));
    };
    const tally = await askBuilders(scene.world, { title: 'builders', seed, aims: ACTION_AIMS, isEnough });
    expect(lacks(tally)).toEqual([]);
    expect(tally.of('outcome', 'landed') / tally.total('outcome')).toBeLessThanOrEqual(1 - LEAST_REFUSED);
  });
});

/** What has not come up often enough. */
function lacks(tally: Tally): readonly string[] {
  // Chance is unkinder to a sample.
  const share = count < FULL_COUNT ? count / FULL_COUNT / 2 : 1;
  const wanted = [
    ...CODES.map((code) => ['outcome', code, LEAST_PER_CODE] as const),
    ...Object.entries(KINDS).flatMap(([axis, values]) => values.map((value) => [axis, value, LEAST_PER_KIND] as const)),
  ];
  return wanted.flatMap(([axis, value, least]) => {
    const seen = tally.of(axis, value);
    return seen < Math.max(1, Math.floor(least * share)) ? [`${value}: ${seen}`] : [];
  });
}
