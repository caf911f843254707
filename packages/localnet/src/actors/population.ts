import type { DemoBank } from '#market/demo-bank.ts';
import { DEMO_FEEDS } from '#market/feeds.ts';
import { P0_BANKS } from '#market/p0-banks.ts';
import { DEMO_TOKENS, type DemoTokenName } from '#market/tokens.ts';
import type { Role } from './role.ts';
import { CAREFUL, createBorrower, RECKLESS } from './roles/borrower.ts';
import { createLender } from './roles/lender.ts';
import { createLiquidator } from './roles/liquidator.ts';
import { createLooper } from './roles/looper.ts';

/** A role, and how often its turn comes compared with the others. */
export interface Citizen {
  readonly role: Role;
  readonly weight: number;
}

type Pair = readonly [collateral: DemoTokenName, debt: DemoTokenName];

const LENDERS_PER_BANK = 2;
const CAREFUL_PAIRS: readonly Pair[] = [
  ['SOL', 'USDC'],
  ['USDC', 'SOL'],
  ['JitoSOL', 'USDT'],
  ['JitoSOL', 'SOL'],
  ['cbBTC', 'USDC'],
  ['WETH', 'USDT'],
  ['PYUSD', 'USDC'],
  ['USDC', 'PYUSD'],
  ['JLP', 'USDS'],
  ['USDT', 'JupSOL'],
  ['USDC', 'mSOL'],
  ['SOL', 'INF'],
  ['USDT', 'JLP'],
  ['USDC', 'BONK'],
  ['SOL', 'cbBTC'],
  ['USDC', 'WETH'],
  ['SOL', '2Z'],
  ['USDT', 'JUP'],
];
const LOOP_PAIRS: readonly Pair[] = [
  ['JitoSOL', 'SOL'],
  ['mSOL', 'SOL'],
  ['JupSOL', 'SOL'],
  ['INF', 'SOL'],
  ['USDT', 'USDC'],
  ['cbBTC', 'USDC'],
];
/** Their collateral is the token whose price dips. */
const RECKLESS_PAIRS: readonly Pair[] = [
  ['JUP', 'USDC'],
  ['JUP', 'USDT'],
  ['JUP', 'PYUSD'],
];
const LIQUIDATOR_WEIGHT = 6;

/** Everybody who acts on the demo market. Wallets are worth between one and four percent of the banks they act on. */
export function createPopulation(): readonly Citizen[] {
  const lenders = P0_BANKS.flatMap((row) =>
    Array.from({ length: LENDERS_PER_BANK }, (_, index) =>
      createLender(`lender of ${row.token} ${index + 1}`, row, worthOf(row.token, lenderUsd(row))),
    ),
  );
  const careful = CAREFUL_PAIRS.map((pair) => createBorrowerOf(pair, 'careful', CAREFUL, 250_000n, 5_000n));
  const reckless = RECKLESS_PAIRS.map((pair) => createBorrowerOf(pair, 'reckless', RECKLESS, 60_000n, 500n));
  const loopers = LOOP_PAIRS.map((pair) =>
    createLooper(`looper of ${pair.join(' on ')}`, rowsOf(pair), worthOf(pair[0], 150_000n)),
  );
  const watched = RECKLESS_PAIRS.map((pair, index) => ({
    account: reckless[index]?.actor.account ?? absent(pair.join(' on ')),
    ...rowsOf(pair),
  }));
  const reserve = { row: rowOf('USDC'), amount: worthOf('USDC', 2_000_000n) };
  return [
    ...[...lenders, ...careful, ...reckless, ...loopers].map((role) => ({ role, weight: 1 })),
    { role: createLiquidator('liquidator', reserve, watched), weight: LIQUIDATOR_WEIGHT },
  ];
}

function createBorrowerOf(
  pair: Pair,
  name: string,
  appetite: typeof CAREFUL,
  collateralUsd: bigint,
  debtUsd: bigint,
): Role {
  const tokens = { collateral: worthOf(pair[0], collateralUsd), debt: worthOf(pair[1], debtUsd) };
  return createBorrower(`${name} borrower of ${pair[1]} on ${pair[0]}`, rowsOf(pair), tokens, appetite);
}

/** Isolated and small banks take little. */
function lenderUsd(row: DemoBank): bigint {
  return row.riskTier === 'Isolated' ? 3_000n : 200_000n;
}

function rowsOf([collateral, debt]: Pair): { readonly collateral: DemoBank; readonly debt: DemoBank } {
  return { collateral: rowOf(collateral), debt: rowOf(debt) };
}

function rowOf(token: DemoTokenName): DemoBank {
  return P0_BANKS.find((row) => row.token === token) ?? absent(token);
}

/** Base units worth so many whole USD at the price a feed walks around. */
function worthOf(token: DemoTokenName, usd: bigint): bigint {
  const { baseRaw, exponent } = DEMO_FEEDS[rowOf(token).feed];
  return (usd * 10n ** BigInt(DEMO_TOKENS[token].decimals - exponent)) / baseRaw;
}

function absent(what: string): never {
  throw new TypeError(`The demo market has no ${what}`);
}
