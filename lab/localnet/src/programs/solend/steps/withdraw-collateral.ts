import { smallerOf } from '@lending/domain';
import type { SolendLendingMarket, SolendObligation, SolendReserve } from '@lending/programs';
import {
  divideWads,
  floorWads,
  multiplyWads,
  solendAmountOfValue,
  solendReceiptsPerToken,
  solendValueAt,
  WAD,
} from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { accountAt } from '../../account-list.ts';
import { check, fail } from '../solend-error.ts';
import { loadObligation, loadReserve, type ObligationDeposit, storeObligation, storeReserve } from '../state.ts';
import { remainingOutflow, takeAuthority, takeMarket, transferTokens } from '../steps.ts';

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
 * Takes receipts out of an obligation, at most as many as the rate limiters let go. Returns how many. Nothing needs to be refreshed for
 * an obligation without debts.
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
  assertOwned(context, obligation, accounts);
  const [deposit, index] = findDeposit(context, obligation, accounts.reserve);
  const seeds = takeAuthority(context, market, accounts.market, accounts.marketAuthority);

  const rate = solendReceiptsPerToken(reserve);
  const most = floorWads(multiplyWads(outflowOf(context, market, reserve), rate));
  const withdrawn = [amount, deposit.depositedAmount, most].reduce(smallerOf);
  check(context, withdrawn > 0n, 'WithdrawTooLarge');
  const value = solendValueAt(reserve.liquidity.marketPrice, divideWads(withdrawn * WAD, rate), reserve);
  assertWithinAttribution(context, obligation, accounts.depositReserves);
  const valued = { ...deposit, marketValue: saturating(deposit.marketValue, value) };
  storeObligation(accounts.obligation, {
    ...obligation,
    depositedValue: saturating(obligation.depositedValue, value),
    deposits: withoutReceipts(obligation.deposits.with(index, valued), index, withdrawn),
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

/**
 * Debts are attributed to the reserves of what is deposited against them, and a reserve may limit them. Others' debts are all there are.
 * @throws InstructionError BorrowAttributionLimitExceeded
 */
function assertWithinAttribution(
  context: InvokeContext,
  { deposits }: SolendObligation,
  reserves: readonly InstructionAccount[],
): void {
  const states = deposits.map(({ depositReserve }, index) => {
    const account = accountAt(reserves, index);
    const reserve = loadReserve(account);
    check(context, depositReserve === account.address, 'InvalidAccountInput');
    storeReserve(account, reserve);
    return reserve;
  });
  const isWithin = states.every(
    ({ attributedBorrowValue, attributedBorrowLimitOpen }) => attributedBorrowValue <= attributedBorrowLimitOpen * WAD,
  );
  check(context, isWithin, 'BorrowAttributionLimitExceeded');
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
