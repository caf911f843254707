import { isLendingError, LendingError } from '@lending/errors';
import { type LeverageAction, type LeverageState, sidesOf } from '@lending/transactions';
import { wordsOf } from '../bank-words.ts';
import type { BuildTables, LiquidPair } from '../build-deps.ts';

/** Named at most. */
const MOST = 3;

/**
 * Why no swap was found, or none that fits, with pairs that are more liquid: what else a loop may supply or borrow at that leverage, what
 * other collateral the account has for the debt of a close. They come from what was last quoted, the most liquid first.
 * @returns the error itself where it has another reason, or no such pair is known.
 */
export async function nameLiquidPairs(
  { tables }: { readonly tables: Pick<BuildTables, 'listPairs'> },
  { action, state }: { readonly action: LeverageAction; readonly state: LeverageState },
  error: unknown,
): Promise<unknown> {
  if (!isLendingError(error, 'ACTION__SWAP_UNAVAILABLE') && !isLendingError(error, 'ACTION__TRANSACTION_EXCEEDED')) {
    return error;
  }
  // An error without them is better than none.
  const pairs = moreLiquid(await tables.listPairs().catch(() => []), action, state);
  const [first] = pairs;
  if (first === undefined) return error;
  const { deposit, borrow } = first;
  return new LendingError(error.code, {
    message: `${error.message.replace(/\.$/, '')}; a more liquid pair is \`deposit_bank\` ${deposit.address} (${nameOf(deposit)}) with \`borrow_bank\` ${borrow.address} (${nameOf(borrow)})`,
    context: { ...error.context, pairs: pairs.map(describe) },
    cause: error,
  });
}

function moreLiquid(pairs: readonly LiquidPair[], action: LeverageAction, state: LeverageState): readonly LiquidPair[] {
  const { depositBank, borrowBank } = action;
  const own = new Set(sidesOf(state).collateral);
  const isSame = (one: LiquidPair) => one.deposit.address === depositBank && one.borrow.address === borrowBank;
  const isFit = ({ deposit, borrow, maxLeverageHundredths }: LiquidPair) => {
    if (action.kind === 'close_position') return borrow.address === borrowBank && own.has(deposit.address);
    const { numerator, denominator } = action.leverage;
    const isNear = deposit.address === depositBank || borrow.address === borrowBank;
    return isNear && numerator * 100n <= maxLeverageHundredths * denominator;
  };
  const depthUsd = pairs.find(isSame)?.depthUsd ?? 0;
  // What needs no swap is another position: no price moves it.
  const isSwapped = ({ deposit, borrow }: LiquidPair) => deposit.mint !== borrow.mint;
  return pairs
    .filter((pair) => pair.depthUsd > depthUsd && isFit(pair) && (action.kind !== 'loop' || isSwapped(pair)))
    .sort((one, other) => (one.depthUsd === other.depthUsd ? 0 : other.depthUsd - one.depthUsd))
    .slice(0, MOST);
}

function describe({ deposit, borrow, depthUsd }: LiquidPair) {
  return {
    deposit_bank: deposit.address,
    deposit_symbol: wordsOf(deposit).symbol,
    borrow_bank: borrow.address,
    borrow_symbol: wordsOf(borrow).symbol,
    // The largest swap that was quoted passes, or there is none.
    swap_depth_usd: Number.isFinite(depthUsd) ? depthUsd : null,
  };
}

function nameOf(bank: LiquidPair['deposit']): string {
  const { symbol, venue } = wordsOf(bank);
  return `${symbol}, ${venue}`;
}
