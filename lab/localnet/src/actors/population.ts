import { ASSET_TAG } from '@lending/domain';
import type { DemoBank } from '#market/demo-bank.ts';
import { DEMO_FEEDS } from '#market/feeds.ts';
import { P0_BANKS } from '#market/p0-banks.ts';
import { DEMO_TOKENS, type DemoTokenName } from '#market/tokens.ts';
import { VENUE_BANKS } from '#market/venue-banks.ts';
import type { DemoReserve } from '#market/venues/demo-reserve.ts';
import { JUPLEND_RESERVES } from '#market/venues/juplend-reserves.ts';
import { KAMINO_RESERVES } from '#market/venues/kamino-reserves.ts';
import { SOLEND_RESERVES } from '#market/venues/solend-reserves.ts';
import type { Role } from './role.ts';
import { CAREFUL, createBorrower, RECKLESS } from './roles/borrower.ts';
import { createCrank } from './roles/crank.ts';
import { createKeeper } from './roles/keeper.ts';
import { createLender } from './roles/lender.ts';
import { createLiquidator } from './roles/liquidator.ts';
import { createLooper } from './roles/looper.ts';
import { createMover } from './roles/mover.ts';
import { createOrderOwner } from './roles/order-owner.ts';
import { createReserveSupplier } from './roles/reserve-supplier.ts';
import { createVenueLender } from './roles/venue-lender.ts';

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
const MOVER_USD = 20_000n;
const VENUE_LENDER_USD = 200_000n;
/** What the owner of an order to rebalance begins with, and what the keeper's wallet holds. */
const SAVER_USD = 100_000n;
const KEEPER_USD = 1_000n;
const KEEPER_WEIGHT = 2;
/** Enough to move the rate of a reserve of tens of millions. */
const SUPPLIER_USD = 4_000_000n;

/** Reserves of other venues that anybody can act on. */
export const LIVE_RESERVES: readonly DemoReserve[] = [...JUPLEND_RESERVES, ...KAMINO_RESERVES, ...SOLEND_RESERVES];
const LIVE_RESERVE_ADDRESSES: ReadonlySet<string> = new Set(LIVE_RESERVES.map(({ address }) => address));
const CRANK_WEIGHT = 6;
/** Banks whose breaker sees a price only when an instruction reads it. */
const BREAKER_ROWS: readonly DemoBank[] = P0_BANKS.filter(({ breaker }) => breaker !== undefined);

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
  const venueLenders = VENUE_BANKS.filter(isLive).map((row) =>
    createVenueLender(`lender of ${row.token} in ${row.address}`, row, worthOf(row.token, VENUE_LENDER_USD)),
  );
  const suppliers = LIVE_RESERVES.map((reserve) =>
    createReserveSupplier(
      `supplier of ${reserve.token} to ${reserve.address}`,
      reserve,
      rowOf(reserve.token),
      worthOf(reserve.token, SUPPLIER_USD),
    ),
  );
  const mover = createMover('mover of USDC', rowOf('USDC'), worthOf('USDC', MOVER_USD));
  const reserve = { row: rowOf('USDC'), amount: worthOf('USDC', 2_000_000n) };
  const saver = createOrderOwner('saver of USDC', savingsRows('USDC'), worthOf('USDC', SAVER_USD));
  const keeper = createKeeper('keeper', rowOf('USDC'), [saver.actor.account], worthOf('USDC', KEEPER_USD));
  return [
    ...[...lenders, ...careful, ...reckless, ...loopers, ...venueLenders, ...suppliers, mover, saver].map((role) => ({
      role,
      weight: 1,
    })),
    { role: createCrank('crank', LIVE_RESERVES, BREAKER_ROWS, rowOf('USDC')), weight: CRANK_WEIGHT },
    { role: keeper, weight: KEEPER_WEIGHT },
    { role: createLiquidator('liquidator', reserve, watched), weight: LIQUIDATOR_WEIGHT },
  ];
}

/** The banks of a token whose rates the program compares, P0's own first. */
function savingsRows(token: DemoTokenName): readonly [DemoBank, ...DemoBank[]] {
  const isCompared = ({ assetTag }: DemoBank) => assetTag === ASSET_TAG.kamino || assetTag === ASSET_TAG.juplend;
  return [rowOf(token), ...VENUE_BANKS.filter((row) => row.token === token && isLive(row) && isCompared(row))];
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

/** Banks on venues that stand still, and those that the operators closed, take nothing. */
function isLive({ venueAccount, state }: DemoBank): boolean {
  return state === 'Operational' && venueAccount !== undefined && LIVE_RESERVE_ADDRESSES.has(venueAccount);
}

function rowsOf([collateral, debt]: Pair): { readonly collateral: DemoBank; readonly debt: DemoBank } {
  return { collateral: rowOf(collateral), debt: rowOf(debt) };
}

function rowOf(token: DemoTokenName): DemoBank {
  return P0_BANKS.find((row) => row.token === token) ?? absent(token);
}

/** Base units worth so many whole USD at the price a feed walks around. */
export function worthOf(token: DemoTokenName, usd: bigint): bigint {
  const { baseRaw, exponent } = DEMO_FEEDS[rowOf(token).feed];
  return (usd * 10n ** BigInt(DEMO_TOKENS[token].decimals - exponent)) / baseRaw;
}

function absent(what: string): never {
  throw new TypeError(`The demo market has no ${what}`);
}
