import { toUiAmount } from '@lending/domain';

/** A JSON number with more digits is not read back as the same decimal. */
const EXACT_DIGITS = 15;

/** An amount in tokens, for a caller to read and to ask for. */
export interface ShownAmount {
  /** Never more than the amount, and exact when it comes back as an argument. */
  readonly ui: number;
  /** Base units, exact. */
  readonly raw: string;
}

/** Base units as tokens, rounded down to what a JSON number holds. */
export function shownAmount(amountBase: bigint, decimals: number): ShownAmount {
  const digits = amountBase.toString().length;
  const step = 10n ** BigInt(Math.max(digits - EXACT_DIGITS, 0));
  const ui = Number(toUiAmount(amountBase - (amountBase % step), decimals));
  return { ui, raw: amountBase.toString() };
}

/** The same rounded up: never less than the amount. */
export function shownAtLeast(amountBase: bigint, decimals: number): ShownAmount {
  const digits = amountBase.toString().length;
  const step = 10n ** BigInt(Math.max(digits - EXACT_DIGITS, 0));
  const { ui } = shownAmount(((amountBase + step - 1n) / step) * step, decimals);
  return { ui, raw: amountBase.toString() };
}
