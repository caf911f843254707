import { largerOf, smallerOf } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import {
  KLEND_ERRORS,
  KLEND_PROGRAM,
  type KlendObligation,
  type KlendReserve,
  klendMarketLayout,
  klendObligationLayout,
  klendReserveLayout,
} from '@lending/programs';
import {
  accrueKaminoReserve,
  kaminoCTokenRate,
  kaminoCTokensOfLiquidity,
  kaminoLiquidityForCTokens,
  kaminoLiquidityOfCTokens,
} from '@lending/venues';
import type { Address } from '@solana/kit';
import type { Chain } from '../real-program/chain.ts';
import { SLOTS_PER_SECOND, type StepResult, type Venue } from './venue.ts';

/** An amount that somebody moves: tokens that go in, or cTokens that come out, of an obligation where one is named. */
interface Move {
  readonly isDeposit: boolean;
  readonly reserve: Address;
  readonly obligation: Address | null;
  readonly amount: bigint;
}

/** Amounts looked at below the given one. */
const ATTEMPTS = 50n;

/**
 * The public program takes all of a deposit, where today's klend takes what the cTokens cost and leaves the rest; and it rounds the rate
 * to sixty bits before it uses it, which may cost or bring a unit. Where both are to come to the same, amounts must have no rest, and be
 * the same by either rate: the next lower one that is.
 */
export function agreedAmount(chain: Chain, move: Move): bigint {
  const moment = { slot: chain.unixTimestamp * SLOTS_PER_SECOND, unixTimestamp: chain.unixTimestamp };
  const state = reserveIn(chain.data(move.reserve));
  const market = klendMarketLayout.decode(chain.data(state.lendingMarket));
  const rate = rateAfter(() => accrueKaminoReserve(state, market, moment));
  if (rate === null) return move.amount;
  const olderRateSf = (rate.cTokens << 120n) / rate.liquiditySf;
  if (olderRateSf === 0n) return move.amount;
  const { isDeposit, amount } = move;
  const cTokens = isDeposit ? kaminoCTokensOfLiquidity(rate, amount) : smallerOf(amount, heldBy(chain, move));
  for (let tried = cTokens; tried > 0n && cTokens - tried < ATTEMPTS; tried -= 1n) {
    const cost = kaminoLiquidityForCTokens(rate, tried);
    if (isDeposit && (cost * olderRateSf) >> 60n === tried) return cost;
    const isSame = (tried << 60n) / olderRateSf === kaminoLiquidityOfCTokens(rate, tried);
    if (!isDeposit && isSame) return tried === cTokens ? amount : tried;
  }
  return isDeposit ? 0n : amount;
}

/** Null where the interest comes to nothing that a reserve may hold: both programs stop there. */
function rateAfter(accrue: () => KlendReserve) {
  try {
    return kaminoCTokenRate(accrue());
  } catch (error) {
    if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) return null;
    throw error;
  }
}

/** No obligation gives more than it holds. */
function heldBy(chain: Chain, { obligation, reserve, amount }: Move): bigint {
  const state = obligation === null ? undefined : chain.account(obligation);
  if (state === undefined) return amount;
  const { deposits } = klendObligationLayout.decode(state.data);
  return deposits.find(({ depositReserve }) => depositReserve === reserve)?.depositedAmount ?? 0n;
}

/** What the public klend's age explains, and nothing else is let through. */
export const kaminoBridge: NonNullable<Venue['bridge']> = (elf, model) => {
  const tokensBefore = tokensPerCToken(model);
  return (elfResult, modelResult) => {
    const differences = bridgeObligations(elf, model, largerOf(tokensBefore, tokensPerCToken(model)));
    bridgeReserves(elf, model);
    return { result: inTodaysErrors(elfResult, modelResult), differences };
  };
};

/**
 * Redeeming what there is neither receipts nor liquidity for, the public program looks at the receipts first and today's klend at the
 * liquidity. Gives its error in today's place.
 */
function inTodaysErrors(elf: StepResult, today: StepResult): StepResult {
  const { MathOverflow, InsufficientLiquidity } = KLEND_ERRORS;
  const isSwapped = elf.error?.reason === MathOverflow && today.error?.reason === InsufficientLiquidity;
  return isSwapped ? { ...elf, error: today.error } : elf;
}

/** The public program notes the slot at which a limit was crossed, today's klend the second. */
function bridgeReserves(elf: Chain, model: Chain): void {
  for (const address of klendAccounts(model, klendReserveLayout)) {
    const data = elf.account(address)?.data;
    if (data === undefined || data === model.data(address)) continue;
    const [older, today] = [reserveIn(data), reserveIn(model.data(address))];
    const inSeconds = (slot: bigint, seconds: bigint) => (slot === seconds * SLOTS_PER_SECOND ? seconds : slot);
    const { depositLimitCrossedTimestamp: deposit, borrowLimitCrossedTimestamp: borrow } = older.liquidity;
    const liquidity = {
      ...older.liquidity,
      depositLimitCrossedTimestamp: inSeconds(deposit, today.liquidity.depositLimitCrossedTimestamp),
      borrowLimitCrossedTimestamp: inSeconds(borrow, today.liquidity.borrowLimitCrossedTimestamp),
    };
    elf.setData(address, Uint8Array.from(klendReserveLayout.encode({ ...older, liquidity })));
  }
}

/**
 * The public program is an older klend. What it does otherwise with an obligation, none of which an instruction here decides by:
 * - it keeps the risk tiers of deposits and debts, which klend gave up and zeros;
 * - it does not keep the lowest loan-to-value of the deposits yet;
 * - it leaves the value at which an obligation becomes unhealthy at zero as long as nothing is borrowed;
 * - it values receipts by a rate that it rounds to sixty bits first, so its values are a few last bits higher.
 * The last is held to a part in 2^58 of what a cToken is worth; then its chain is given what today's program would have written.
 * @param mostTokens what a cToken was worth at most, before the step and after it.
 */
function bridgeObligations(elf: Chain, model: Chain, mostTokens: bigint): readonly string[] {
  return [...klendAccounts(model, klendObligationLayout)].flatMap((address) => {
    const [older, today] = [elf.account(address), model.account(address)];
    if (older === undefined || today === undefined || older.data === today.data) return [];
    if (!isOf(klendObligationLayout, older.data)) return [];
    const [left, right] = [older, today].map(({ data }) => klendObligationLayout.decode(data)) as [
      KlendObligation,
      KlendObligation,
    ];
    elf.setData(address, Uint8Array.from(klendObligationLayout.encode(inTodaysWords(left, right))));
    return farApart(left, right, mostTokens).map((what) => `${address}: ${what}`);
  });
}

/** Whether two accounts are the same obligation, but for what is listed above. @param mostTokens what a cToken is worth at most. */
export function isSameObligation(older: Uint8Array, today: Uint8Array, mostTokens: bigint): boolean {
  if (![older, today].every((data) => isOf(klendObligationLayout, data))) return false;
  const [left, right] = [klendObligationLayout.decode(older), klendObligationLayout.decode(today)];
  if (farApart(left, right, mostTokens).length > 0) return false;
  return Buffer.compare(Buffer.from(klendObligationLayout.encode(inTodaysWords(left, right))), today) === 0;
}

function inTodaysWords(older: KlendObligation, today: KlendObligation): KlendObligation {
  return {
    ...older,
    deposits: older.deposits.map((deposit, index) => ({
      ...deposit,
      marketValueSf: today.deposits[index]?.marketValueSf ?? 0n,
    })),
    depositedValueSf: today.depositedValueSf,
    allowedBorrowValueSf: today.allowedBorrowValueSf,
    unhealthyBorrowValueSf: today.unhealthyBorrowValueSf,
    paddingDeprecatedAssetTiers: today.paddingDeprecatedAssetTiers,
    lowestReserveDepositMaxLtvPct: today.lowestReserveDepositMaxLtvPct,
  };
}

function farApart(older: KlendObligation, today: KlendObligation, mostTokens: bigint): readonly string[] {
  const valuesOf = (obligation: KlendObligation) => [
    ...obligation.deposits.map(({ marketValueSf }) => marketValueSf),
    ...[obligation.depositedValueSf, obligation.allowedBorrowValueSf],
  ];
  const newer = valuesOf(today);
  return valuesOf(older).flatMap((value, index) => {
    const other = newer[index] ?? 0n;
    const isNear = value >= other - 8n && value - other <= ((other * mostTokens) >> 58n) + 8n;
    return isNear ? [] : [`value ${index} is ${value} by the program, ${other} by the model`];
  });
}

/** Of the reserve where it is most, fees and all, rounded up: the fewer cTokens a token buys, the fewer of their rate's bits are kept. */
function tokensPerCToken(chain: Chain): bigint {
  const rates = [...klendAccounts(chain, klendReserveLayout)].map((address) => {
    const { liquidity, collateral } = reserveIn(chain.data(address));
    const held = liquidity.totalAvailableAmount + (liquidity.borrowedAmountSf >> 60n);
    return collateral.mintTotalSupply === 0n ? 1n : held / collateral.mintTotalSupply + 1n;
  });
  return rates.reduce(largerOf, 1n);
}

const READ = new WeakMap<Uint8Array, KlendReserve>();

/** A reserve, read once for each of its states: it is long. */
function reserveIn(data: Uint8Array): KlendReserve {
  const read = READ.get(data) ?? klendReserveLayout.decode(data);
  READ.set(data, read);
  return read;
}

function klendAccounts(chain: Chain, layout: { readonly discriminator: Uint8Array }): readonly Address[] {
  return [...chain.state.accounts].flatMap(([address, { owner, data }]) =>
    owner === KLEND_PROGRAM && isOf(layout, data) ? [address] : [],
  );
}

function isOf({ discriminator }: { readonly discriminator: Uint8Array }, data: Uint8Array): boolean {
  return discriminator.every((byte, index) => data[index] === byte);
}
