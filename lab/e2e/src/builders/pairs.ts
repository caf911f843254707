import type { LeverageRequest } from '@lending/api';
import { fromUiAmount, type Venue } from '@lending/domain';
import { DEMO_TOKENS, type DemoTokenName } from '@lending/localnet';
import type { P0Bank } from '@lending/venues';

/** A bank to supply and a bank to borrow from. */
export interface Pair {
  readonly deposit: P0Bank;
  readonly borrow: P0Bank;
}

/** A pair by name, with what its weights alone allow. */
export interface NamedPair {
  readonly name: string;
  readonly supply: DemoTokenName;
  readonly venue: Venue;
  readonly debt: DemoTokenName;
  /**
   * 1 ÷ (1 − 0.99 × asset weight ÷ liability weight), e-mode counted, cut to hundredths: worked out by hand from the rows of the demo market.
   * Where that is a whole number of hundredths it is one less, because weights are binary fractions.
   */
  readonly max: string;
}

/** Of every kind that the service names; the weights stand in the demo market's rows. */
export const PAIRS: readonly NamedPair[] = [
  pair('a dollar on another', 'USDC', 'p0', 'USDT', '9.99'),
  pair('the other way round', 'USDT', 'p0', 'USDC', '9.99'),
  pair('a dollar of Token-2022', 'PYUSD', 'p0', 'USDC', '5.26'),
  pair('a debt in Token-2022', 'USDC', 'p0', 'PYUSD', '9.99'),
  pair('a staked SOL on SOL', 'JitoSOL', 'p0', 'SOL', '10.91'),
  pair('another staked SOL', 'mSOL', 'p0', 'SOL', '10.91'),
  pair('one of a group of its own', 'INF', 'p0', 'SOL', '7.21'),
  pair('SOL on a staked SOL', 'SOL', 'p0', 'JitoSOL', '3.17'),
  pair('SOL on dollars', 'SOL', 'p0', 'USDC', '3.57'),
  pair('dollars on SOL', 'USDC', 'p0', 'SOL', '7.59'),
  pair('bitcoin on dollars', 'cbBTC', 'p0', 'USDC', '4.6'),
  pair('SOL at Kamino', 'SOL', 'kamino', 'USDC', '3.57'),
  pair('SOL at Kamino on a staked SOL', 'SOL', 'kamino', 'JitoSOL', '3.17'),
  pair('dollars at Kamino', 'USDC', 'kamino', 'USDT', '9.99'),
  pair('dollars at JupLend', 'USDC', 'juplend', 'USDT', '9.99'),
  pair('SOL at JupLend', 'SOL', 'juplend', 'USDC', '3.07'),
  pair('SOL at Save', 'SOL', 'solend', 'USDC', '3.07'),
  pair('one dollar at two places', 'USDC', 'kamino', 'USDC', '9.99'),
  pair('SOL at two places', 'SOL', 'juplend', 'SOL', '2.86'),
  pair('a token that keeps a fee', 'LEVY', 'p0', 'USDC', '3.57'),
];

interface Market {
  readonly banks: readonly P0Bank[];
}

/** The first bank of a token at a venue that works. */
export function findBank({ banks }: Market, name: DemoTokenName, venue: Venue = 'p0'): P0Bank {
  const found = banks.find(
    (bank) => bank.mint === DEMO_TOKENS[name].mint && bank.venue === venue && bank.operationalState === 'Operational',
  );
  if (found === undefined) throw new TypeError(`The demo market has no ${name} bank at ${venue}`);
  return found;
}

/** The banks of a pair, or of the one with a name. */
export function findPair(market: Market, named: NamedPair | string): Pair {
  const found = typeof named === 'string' ? PAIRS.find(({ name }) => name === named) : named;
  if (found === undefined) throw new TypeError(`There is no pair ${named}`);
  return { deposit: findBank(market, found.supply, found.venue), borrow: findBank(market, found.debt) };
}

function pair(name: string, supply: DemoTokenName, venue: Venue, debt: DemoTokenName, max: string): NamedPair {
  return { name, supply, venue, debt, max };
}

const LEVERAGE_DECIMALS = 6;
const ONE = 10n ** BigInt(LEVERAGE_DECIMALS);
const HUNDREDTH = ONE / 100n;

/** What a loop supplies in all: principal × leverage, rounded down, base units. */
export function suppliedBy({
  request: { amount, leverage },
  pair: { deposit },
}: {
  readonly request: LeverageRequest;
  readonly pair: Pair;
}): bigint {
  return (fromUiAmount(amount, deposit.decimals) * fromUiAmount(leverage ?? '1', LEVERAGE_DECIMALS)) / ONE;
}

/** A hundredth above a leverage. */
export function aBitMore(leverage: string): string {
  return textOf(fromUiAmount(leverage, LEVERAGE_DECIMALS) + HUNDREDTH);
}

/** A leverage from hundredths. */
export function leverageOf(hundredths: number): string {
  return textOf(BigInt(hundredths) * HUNDREDTH);
}

function textOf(times: bigint): string {
  return `${times / ONE}.${String((times % ONE) / HUNDREDTH).padStart(2, '0')}`;
}
