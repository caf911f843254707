import { amountAfterFee } from '@lending/domain';
import { WRAPPED_SOL_MINT } from '@lending/programs';
import {
  type LeverageState,
  type SizedClose,
  type SizedLeverage,
  type SizedLoop,
  sentFor,
} from '@lending/transactions';
import type { Address } from '@solana/kit';
import type { MovedAmounts } from './moved-amounts.ts';

/** The least that what the wallet has of a mint may change by, base units, signed. */
export interface PromisedFlow {
  readonly mint: Address;
  /** The side of the swap that it is; `source` too where nothing is swapped. */
  readonly check: 'source' | 'destination';
  readonly leastBase: bigint;
}

/** What is paid out for everything may be a unit less than what its receipts are worth, and a whole debt a unit more. */
const ROUNDING = 2n;

/**
 * What a loop or a close may do to the wallet: the swap gives its minimum and takes what was quoted, the lending account pays and takes
 * what was sized. Tokens of one mint are one flow, and those of wrapped SOL do not have the wallet's costs in them.
 */
export function promisedFlows(
  state: LeverageState,
  sized: SizedLeverage,
  moved: MovedAmounts,
): readonly PromisedFlow[] {
  const [collateral, debt] = sized.kind === 'loop' ? loopFlows(state, sized) : closeFlows(state, sized, moved);
  const mints = [state.collateral.live.mint.address, state.debt.live.mint.address] as const;
  if (mints[0] === mints[1]) return [{ mint: mints[0], check: 'source', leastBase: collateral + debt }];
  const isLoop = sized.kind === 'loop';
  return [
    { mint: mints[0], check: isLoop ? 'destination' : 'source', leastBase: collateral },
    { mint: mints[1], check: isLoop ? 'source' : 'destination', leastBase: debt },
  ];
}

/** The wallet's own SOL takes part where one of the mints is wrapped SOL. */
export function isSolFlow({ mint }: PromisedFlow): boolean {
  return mint === WRAPPED_SOL_MINT;
}

type Flows = readonly [collateral: bigint, debt: bigint];

function loopFlows({ collateral }: LeverageState, { supplied, borrow, swap }: SizedLoop): Flows {
  const [given, got] = swap === null ? [0n, 0n] : [swap.quote.inBase, swap.quote.minOutBase];
  return [got - sentFor(collateral.live, supplied), borrow - given];
}

function closeFlows({ collateral, debt }: LeverageState, sized: SizedClose, moved: MovedAmounts): Flows {
  const { withdraw, repay, redeposit, swap } = sized;
  const [given, got] = swap === null ? [0n, 0n] : [swap.quote.inBase, swap.quote.minOutBase];
  const { transferFee } = collateral.live.mint;
  const paidOut = withdraw === 'all' ? amountAfterFee(transferFee, -moved.collateral) - ROUNDING : withdraw;
  const repaid = sentFor(debt.live, repay === 'all' ? ROUNDING - moved.debt : repay);
  return [paidOut - given, got - repaid - sentFor(debt.live, redeposit)];
}
