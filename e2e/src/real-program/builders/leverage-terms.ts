import type { SizedClose, SizedLoop } from '@lending/transactions';
import { type BankName, bankNamed } from '../market.ts';
import { mintOf } from './builder-market.ts';
import type { BuilderName, BuilderWorld } from './builder-world.ts';
import { swapInPool } from './swap-pool.ts';

/** The deposit bank, then the borrow bank. */
export type Pair = readonly [deposit: BankName, borrow: BankName];

/** Parts of what is promised that a pool gives on top of it. */
const MORE_THAN_PROMISED = 500n;

/** Base units of the one bank's token that so many of the other's are worth at the prices the market starts with, rounded up. */
function worthIn(amount: bigint, of: BankName, as: BankName): bigint {
  const [from, to] = [bankNamed(of), bankNamed(as)];
  const numerator = amount * from.price * 10n ** BigInt(to.decimals);
  const denominator = to.price * 10n ** BigInt(from.decimals);
  return (numerator + denominator - 1n) / denominator;
}

function isSameMint([deposit, borrow]: Pair): boolean {
  return mintOf(deposit) === mintOf(borrow);
}

export interface LoopTerms {
  readonly pair: Pair;
  readonly principal: bigint;
  /** Hundredths. */
  readonly leverage: bigint;
  /** Left out: what the swap takes. */
  readonly borrow?: bigint;
  /** What the pool gives less than it promised. */
  readonly short?: bigint;
}

/** A loop with its loan and its swap settled; the pool gives a little more than what is deposited of it. */
export async function sizeLoop(world: BuilderWorld, name: BuilderName, terms: LoopTerms): Promise<SizedLoop> {
  const { pair, principal, leverage, short = 0n } = terms;
  const [deposit, borrow] = pair;
  const supplied = (principal * leverage) / 100n;
  const bought = supplied - principal;
  const outBase = bought + bought / MORE_THAN_PROMISED;
  const inBase = isSameMint(pair) ? bought : worthIn(outBase, deposit, borrow);
  const amounts = { inBase, minOutBase: bought, outBase: short === 0n ? outBase : bought - short };
  return {
    kind: 'loop',
    depositBank: bankNamed(deposit).address,
    borrowBank: bankNamed(borrow).address,
    principal,
    supplied,
    leverage: { numerator: leverage, denominator: 100n },
    borrow: terms.borrow ?? inBase,
    swap: isSameMint(pair) ? null : await swapInPool(world, name, [borrow, deposit], amounts),
  };
}

export interface CloseTerms {
  readonly pair: Pair;
  /** Base units of the debt that come back at the least; more than the debt where all of it is repaid. */
  readonly fetched: bigint;
  /** Left out: all of the debt. */
  readonly repay?: bigint;
  /** Left out: what the swap takes. */
  readonly withdraw?: bigint | 'all';
  readonly redeposit?: bigint;
  readonly short?: bigint;
}

/** A close with its sale and its swap settled. */
export async function sizeClose(world: BuilderWorld, name: BuilderName, terms: CloseTerms): Promise<SizedClose> {
  const { pair, fetched, redeposit = 0n, short = 0n } = terms;
  const [deposit, borrow] = pair;
  const outBase = fetched + fetched / MORE_THAN_PROMISED;
  const inBase = isSameMint(pair) ? fetched : worthIn(outBase, borrow, deposit);
  const amounts = { inBase, minOutBase: fetched, outBase: short === 0n ? outBase : fetched - short };
  return {
    kind: 'close_position',
    depositBank: bankNamed(deposit).address,
    borrowBank: bankNamed(borrow).address,
    repay: terms.repay ?? 'all',
    surplus: redeposit === 0n ? 'wallet' : 'redeposit',
    withdraw: terms.withdraw ?? inBase,
    redeposit,
    swap: isSameMint(pair) ? null : await swapInPool(world, name, [deposit, borrow], amounts),
  };
}
