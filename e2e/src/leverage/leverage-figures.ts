import type { LeverageRequest } from '@lending/api';
import { fromUiAmount } from '@lending/domain';
import type { Pair } from './pairs.ts';

const LEVERAGE_DECIMALS = 6;
const ONE = 10n ** BigInt(LEVERAGE_DECIMALS);
const HUNDREDTH = ONE / 100n;

/** What a loop supplies in all: principal × leverage, rounded down, base units. */
export function suppliedBy({ amount, leverage }: LeverageRequest, { deposit }: Pair): bigint {
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
