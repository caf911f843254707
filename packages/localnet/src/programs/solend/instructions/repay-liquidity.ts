import { smallerOf, U64_MAX } from '@lending/domain';
import { repaySolendLiquidity, type SolendObligation } from '@lending/programs';
import { ceilWads, WAD } from '@lending/venues';
import { isU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { takeAccounts } from '../../account-list.ts';
import { check, fail } from '../solend-error.ts';
import { loadObligation, type ObligationBorrow, storeObligation } from '../state/obligation-state.ts';
import { loadReserve, storeStaleReserve } from '../state/reserve-state.ts';
import { accrueDebt } from '../steps/accrue-debt.ts';
import { takeMarket } from '../steps/market.ts';
import { refreshInterest } from '../steps/refresh-interest.ts';
import { transferTokens } from '../steps/tokens.ts';

/** Never takes more than the debt; a part of a unit is paid as a whole one. */
export const repayLiquidity = defineProgramInstruction({
  layout: repaySolendLiquidity,
  run(context, { liquidityAmount }) {
    check(context, liquidityAmount > 0n, 'InvalidAmount');
    const [source, destination, account, obligationAccount, market, transferAuthority, tokenProgram] = takeAccounts(
      context.accounts,
      7,
    );
    takeMarket(context, market, tokenProgram);
    refreshInterest(context, account);
    const reserve = loadReserve(account);
    const { liquidity } = reserve;
    const isOfReserve =
      reserve.lendingMarket === market.address &&
      liquidity.supplyPubkey !== source.address &&
      liquidity.supplyPubkey === destination.address;
    check(context, isOfReserve, 'InvalidAccountInput');
    const obligation = loadObligation(obligationAccount);
    check(context, obligationAccount.owner === context.programId, 'InvalidAccountOwner');
    check(context, obligation.lendingMarket === market.address, 'InvalidAccountInput');
    const [borrow, index] = findBorrow(context, obligation, account);
    check(context, borrow.borrowedAmountWads > 0n, 'ObligationLiquidityEmpty');
    const debt = accrueDebt(context, borrow, liquidity.cumulativeBorrowRateWads);
    const owed = debt.borrowedAmountWads;
    const settledWads = liquidityAmount === U64_MAX ? owed : smallerOf(liquidityAmount * WAD, owed);
    const amount = ceilWads(settledWads);
    check(context, amount > 0n, 'RepayTooSmall');

    const availableAmount = liquidity.availableAmount + amount;
    check(context, isU64(availableAmount), 'MathOverflow');
    const ofReserve = smallerOf(settledWads, liquidity.borrowedAmountWads);
    storeStaleReserve(account, {
      ...reserve,
      liquidity: { ...liquidity, availableAmount, borrowedAmountWads: liquidity.borrowedAmountWads - ofReserve },
    });
    const left = { ...debt, borrowedAmountWads: owed - settledWads };
    const { borrows } = obligation;
    storeObligation(obligationAccount, {
      ...obligation,
      borrows: settledWads === owed ? borrows.toSpliced(index, 1) : borrows.with(index, left),
      lastUpdate: { ...obligation.lastUpdate, stale: 1 },
    });
    transferTokens(context, { accounts: [source, destination], authority: transferAuthority, tokenProgram, amount });
  },
});

function findBorrow(
  context: InvokeContext,
  { borrows }: SolendObligation,
  reserve: InstructionAccount,
): readonly [ObligationBorrow, number] {
  check(context, borrows.length > 0, 'ObligationBorrowsEmpty');
  const index = borrows.findIndex(({ borrowReserve }) => borrowReserve === reserve.address);
  const borrow = borrows[index];
  return borrow === undefined ? fail(context, 'InvalidObligationLiquidity') : [borrow, index];
}
