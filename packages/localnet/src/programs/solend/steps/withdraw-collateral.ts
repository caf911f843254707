import { smallerOf } from '@lending/domain';
import type { SolendLendingMarket, SolendObligation, SolendReserve } from '@lending/programs';
import {
  divideWads,
  floorWads,
  multiplyWads,
  solendAmountOfValue,
  solendLowerPrice,
  solendReceiptsPerToken,
  solendValueAt,
  subtractWads,
  WAD,
  wadsOfPercent,
} from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { check, fail } from '../solend-error.ts';
import { loadObligation, type ObligationDeposit, storeObligation } from '../state/obligation-state.ts';
import { loadReserve } from '../state/reserve-state.ts';
import { attributeBorrows } from './borrow-attribution.ts';
import { takeAuthority, takeMarket } from './market.ts';
import { remainingOutflow } from './outflow.ts';
import { isStale } from './staleness.ts';
import { transferTokens } from './tokens.ts';
import { wholeTokenBase } from './whole-token.ts';

/** USD, wads: what stands for a market without a limit, whose own figure would not fit the arithmetic. */
const MAX_OUTFLOW_VALUE = 100_000_000_000n * WAD;

interface WithdrawAccounts {
  readonly source: InstructionAccount;
  readonly destination: InstructionAccount;
  readonly reserve: InstructionAccount;
  readonly obligation: InstructionAccount;
  readonly market: InstructionAccount;
  readonly marketAuthority: InstructionAccount;
  readonly owner: InstructionAccount;
  readonly tokenProgram: InstructionAccount;
  /** Of all the obligation's deposits, in its order. */
  readonly depositReserves: readonly InstructionAccount[];
}

/**
 * Takes receipts out of an obligation, at most as many as its debts and the rate limiters let go. Returns how many. Nothing needs to be
 * refreshed for an obligation without debts.
 * @throws InstructionError
 */
export function withdrawCollateral(context: InvokeContext, accounts: WithdrawAccounts, amount: bigint): bigint {
  const { source, destination, tokenProgram } = accounts;
  const market = takeMarket(context, accounts.market, tokenProgram);
  const reserve = loadReserve(accounts.reserve);
  const obligation = loadObligation(accounts.obligation);
  check(context, accounts.reserve.owner === context.programId, 'InvalidAccountOwner');
  const { supplyPubkey } = reserve.collateral;
  const isOfReserve =
    reserve.lendingMarket === accounts.market.address &&
    supplyPubkey === source.address &&
    supplyPubkey !== destination.address;
  check(context, isOfReserve, 'InvalidAccountInput');
  const isIndebted = obligation.borrows.length > 0;
  check(context, !(isStale(context, reserve) && isIndebted), 'ReserveStale');
  assertOwned(context, obligation, accounts);
  check(context, !(isStale(context, obligation) && isIndebted), 'ObligationStale');
  const [deposit, index] = findDeposit(context, obligation, accounts.reserve);
  const seeds = takeAuthority(context, market, accounts.market, accounts.marketAuthority);

  const rate = solendReceiptsPerToken(reserve);
  const most = floorWads(multiplyWads(outflowOf(context, market, reserve), rate));
  const withdrawn = smallerOf(amount, smallerOf(maxWithdrawal(obligation, deposit, reserve), most));
  check(context, withdrawn > 0n, 'WithdrawTooLarge');
  const value = solendValueAt(reserve.liquidity.marketPrice, divideWads(withdrawn * WAD, rate), reserve);
  const { obligation: attributed, isOpenLimitExceeded } = attributeBorrows(
    context,
    {
      ...obligation,
      depositedValue: saturating(obligation.depositedValue, value),
      deposits: obligation.deposits.with(index, { ...deposit, marketValue: saturating(deposit.marketValue, value) }),
    },
    accounts.depositReserves,
  );
  check(context, !isOpenLimitExceeded, 'BorrowAttributionLimitExceeded');
  storeObligation(accounts.obligation, {
    ...attributed,
    deposits: withoutReceipts(attributed.deposits, index, withdrawn),
    lastUpdate: { ...obligation.lastUpdate, stale: 1 },
  });
  transferTokens(context, {
    accounts: [source, destination],
    authority: accounts.marketAuthority,
    tokenProgram,
    amount: withdrawn,
    seeds,
  });
  return withdrawn;
}

/** @throws InstructionError */
function assertOwned(context: InvokeContext, obligation: SolendObligation, accounts: WithdrawAccounts): void {
  check(context, accounts.obligation.owner === context.programId, 'InvalidAccountOwner');
  check(context, obligation.lendingMarket === accounts.market.address, 'InvalidAccountInput');
  check(context, obligation.owner === accounts.owner.address, 'InvalidObligationOwner');
  check(context, accounts.owner.isSigner, 'InvalidSigner');
}

function findDeposit(
  context: InvokeContext,
  { deposits }: SolendObligation,
  reserve: InstructionAccount,
): readonly [ObligationDeposit, number] {
  check(context, deposits.length > 0, 'ObligationDepositsEmpty');
  const index = deposits.findIndex(({ depositReserve }) => depositReserve === reserve.address);
  const deposit = deposits[index];
  if (deposit === undefined) return fail(context, 'InvalidObligationCollateral');
  check(context, deposit.depositedAmount > 0n, 'ObligationCollateralEmpty');
  return [deposit, index];
}

/** What both rate limiters let leave, base units in wads. */
function outflowOf(context: InvokeContext, market: SolendLendingMarket, reserve: SolendReserve): bigint {
  const usd = smallerOf(remainingOutflow(context, market.rateLimiter), MAX_OUTFLOW_VALUE);
  return smallerOf(solendAmountOfValue(usd, reserve), remainingOutflow(context, reserve.rateLimiter));
}

/** Receipts that the obligation's debts let go. */
function maxWithdrawal(obligation: SolendObligation, deposit: ObligationDeposit, reserve: SolendReserve): bigint {
  const { borrows, allowedBorrowValue, borrowedValueUpperBound } = obligation;
  if (borrows.length === 0) return deposit.depositedAmount;
  if (allowedBorrowValue <= borrowedValueUpperBound) return 0n;
  const ratio = wadsOfPercent(reserve.config.loanToValueRatio);
  if (ratio === 0n) return deposit.depositedAmount;
  const value = divideWads(subtractWads(allowedBorrowValue, borrowedValueUpperBound), ratio);
  const tokens = divideWads(value * wholeTokenBase(reserve), solendLowerPrice(reserve));
  return smallerOf(floorWads(multiplyWads(tokens, solendReceiptsPerToken(reserve))), deposit.depositedAmount);
}

/** A deposit that is withdrawn whole leaves the list. */
function withoutReceipts(deposits: readonly ObligationDeposit[], index: number, amount: bigint): ObligationDeposit[] {
  const deposit = deposits[index] as ObligationDeposit;
  if (deposit.depositedAmount === amount) return deposits.toSpliced(index, 1);
  return deposits.with(index, { ...deposit, depositedAmount: deposit.depositedAmount - amount });
}

function saturating(value: bigint, less: bigint): bigint {
  return less > value ? 0n : value - less;
}
