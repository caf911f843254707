import { largerOf } from '@lending/domain';
import { KLEND_ERRORS, KLEND_PROGRAM, type KlendObligation, klendObligationLayout } from '@lending/programs';
import {
  accrueKaminoReserve,
  kaminoCTokenRate,
  kaminoCTokensOfLiquidity,
  kaminoLiquidityForCTokens,
  kaminoLiquidityOfCTokens,
} from '@lending/venues';
import type { Address } from '@solana/kit';
import type { Chain } from '../real-program/chain.ts';
import type { Op, Step, StepResult } from './kamino-steps.ts';
import { CODECS, MARKET, OWNED, poolOf, RESERVES, type ReserveName } from './kamino-world.ts';

/** Slots in a second, as `Chain` counts them. */
const SLOTS_PER_SECOND = 2n;

/**
 * The ELF at hand takes all of a deposit, where today's klend takes what the cTokens cost and leaves the rest; and it rounds the rate to
 * sixty bits before it uses it, which may cost or bring a unit. Where both are to come to the same, amounts must have no rest, and be
 * the same by either rate: the next lower one that is.
 */
export function whereBothAgree(chain: Chain, step: Step): Step {
  if (step.kind !== 'send') return step;
  return { ...step, ops: step.ops.map((op) => ('amount' in op ? { ...op, amount: agreedAmount(chain, op) } : op)) };
}

/** Amounts looked at below the given one. */
const ATTEMPTS = 50n;

function agreedAmount(chain: Chain, op: Extract<Op, { amount: bigint }>): bigint {
  const moment = { slot: chain.unixTimestamp * SLOTS_PER_SECOND, unixTimestamp: chain.unixTimestamp };
  const market = CODECS.market.decode(chain.data(MARKET));
  const reserve = accrueKaminoReserve(reserveOf(chain, op.reserve), market, moment);
  const rate = kaminoCTokenRate(reserve);
  const olderRateSf = (rate.cTokens << 120n) / rate.liquiditySf;
  if (olderRateSf === 0n) return op.amount;
  const isDeposit = op.op === 'supply' || op.op === 'deposit';
  const cTokens = isDeposit ? kaminoCTokensOfLiquidity(rate, op.amount) : mostOf(chain, op);
  for (let tried = cTokens; tried > 0n && cTokens - tried < ATTEMPTS; tried -= 1n) {
    const cost = kaminoLiquidityForCTokens(rate, tried);
    if (isDeposit && (cost * olderRateSf) >> 60n === tried) return cost;
    const isSame = (tried << 60n) / olderRateSf === kaminoLiquidityOfCTokens(rate, tried);
    if (!isDeposit && isSame) return tried === cTokens ? op.amount : tried;
  }
  return isDeposit ? 0n : op.amount;
}

/** No obligation gives more than it holds. */
function mostOf(chain: Chain, { op, user, reserve, amount }: Extract<Op, { amount: bigint }>): bigint {
  const state = chain.account(OWNED[user].obligation);
  if (op === 'redeem' || state === undefined) return amount;
  const { deposits } = CODECS.obligation.decode(state.data);
  const held = deposits.find(({ depositReserve }) => depositReserve === poolOf(reserve).reserve)?.depositedAmount ?? 0n;
  return amount < held ? amount : held;
}

/**
 * Redeeming what there is neither receipts nor liquidity for, the ELF looks at the receipts first and today's klend at the liquidity.
 * Gives the ELF's error in today's place.
 */
export function inTodaysErrors(elf: StepResult['error'], today: StepResult['error']): StepResult['error'] {
  const isSwapped = elf?.reason === KLEND_ERRORS.MathOverflow && today?.reason === KLEND_ERRORS.InsufficientLiquidity;
  return isSwapped ? { ...elf, reason: KLEND_ERRORS.InsufficientLiquidity } : elf;
}

/** The ELF notes the slot at which a limit was crossed, today's klend the second. */
export function bridgeReserves(elf: Chain, model: Chain): void {
  for (const name of RESERVES) {
    const [older, today] = [reserveOf(elf, name), reserveOf(model, name)];
    const inSeconds = (slot: bigint, seconds: bigint) => (slot === seconds * SLOTS_PER_SECOND ? seconds : slot);
    const { depositLimitCrossedTimestamp: deposit, borrowLimitCrossedTimestamp: borrow } = older.liquidity;
    const liquidity = {
      ...older.liquidity,
      depositLimitCrossedTimestamp: inSeconds(deposit, today.liquidity.depositLimitCrossedTimestamp),
      borrowLimitCrossedTimestamp: inSeconds(borrow, today.liquidity.borrowLimitCrossedTimestamp),
    };
    elf.setData(poolOf(name).reserve, Uint8Array.from(CODECS.reserve.encode({ ...older, liquidity })));
  }
}

function reserveOf(chain: Chain, name: ReserveName) {
  return CODECS.reserve.decode(chain.data(poolOf(name).reserve));
}

/**
 * The ELF at hand is an older klend. What it does otherwise with an obligation, none of which an instruction here decides by:
 * - it keeps the risk tiers of deposits and debts, which klend gave up and zeros;
 * - it does not keep the lowest loan-to-value of the deposits yet;
 * - it leaves the value at which an obligation becomes unhealthy at zero as long as nothing is borrowed;
 * - it values receipts by a rate that it rounds to sixty bits first, so its values are a few last bits higher.
 * The last is held to a part in 2^58 of what a cToken is worth; then the ELF's chain is given what today's program would have written.
 * @param tokensBefore what a cToken was worth before the step, see `tokensPerCToken`.
 */
export function bridgeObligations(elf: Chain, model: Chain, tokensBefore: bigint): readonly string[] {
  const tokensAfter = tokensPerCToken(model);
  const tokens = tokensAfter > tokensBefore ? tokensAfter : tokensBefore;
  return [...model.state.accounts].flatMap(([address, { owner, data }]) => {
    const other = elf.account(address);
    if (owner !== KLEND_PROGRAM || other?.owner !== KLEND_PROGRAM || !isObligation(data) || !isObligation(other.data)) {
      return [];
    }
    const [left, right] = [CODECS.obligation.decode(other.data), CODECS.obligation.decode(data)];
    elf.setData(address, Uint8Array.from(CODECS.obligation.encode(inTodaysWords(left, right))));
    return farApart(address, left, right, tokens);
  });
}

/** Whether two accounts are the same obligation, but for what is listed above. @param mostTokens what a cToken is worth at most. */
export function isSameObligation(older: Uint8Array, today: Uint8Array, mostTokens: bigint): boolean {
  if (!isObligation(older) || !isObligation(today)) return false;
  const [left, right] = [CODECS.obligation.decode(older), CODECS.obligation.decode(today)];
  if (farApart('' as Address, left, right, mostTokens).length > 0) return false;
  return Buffer.compare(Buffer.from(CODECS.obligation.encode(inTodaysWords(left, right))), today) === 0;
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

/** Of the reserve where it is most, fees and all, rounded up: the fewer cTokens a token buys, the fewer of their rate's bits are kept. */
export function tokensPerCToken(chain: Chain): bigint {
  const rates = RESERVES.map((name) => {
    const { liquidity, collateral } = reserveOf(chain, name);
    const held = liquidity.totalAvailableAmount + (liquidity.borrowedAmountSf >> 60n);
    return collateral.mintTotalSupply === 0n ? 1n : held / collateral.mintTotalSupply + 1n;
  });
  return rates.reduce(largerOf, 1n);
}

function farApart(
  address: Address,
  older: KlendObligation,
  today: KlendObligation,
  mostTokens: bigint,
): readonly string[] {
  const valuesOf = (obligation: KlendObligation) => [
    ...obligation.deposits.map(({ marketValueSf }) => marketValueSf),
    ...[obligation.depositedValueSf, obligation.allowedBorrowValueSf],
  ];
  const newer = valuesOf(today);
  return valuesOf(older).flatMap((value, index) => {
    const other = newer[index] ?? 0n;
    const isNear = value >= other - 8n && value - other <= ((other * mostTokens) >> 58n) + 8n;
    return isNear ? [] : [`${address}: value ${index} is ${value} by the ELF, ${other} by the model`];
  });
}

function isObligation(data: Uint8Array): boolean {
  return klendObligationLayout.discriminator.every((byte, index) => data[index] === byte);
}
