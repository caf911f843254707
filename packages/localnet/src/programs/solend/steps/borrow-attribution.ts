import type { SolendObligation } from '@lending/programs';
import { addWads, divideWads, multiplyWads, WAD } from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { accountAt } from '../../account-list.ts';
import { check } from '../solend-error.ts';
import { loadReserve, storeReserve } from '../state/reserve-state.ts';

/** An obligation whose deposits carry their part of its debts, and which limits of their reserves that breaks. */
export interface Attribution {
  readonly obligation: SolendObligation;
  readonly isOpenLimitExceeded: boolean;
  readonly isCloseLimitExceeded: boolean;
}

/**
 * Attributes an obligation's debts to its deposits by their value, and writes what changes into the deposits' reserves.
 * @param reserves of the deposits, in their order; accounts behind them do not matter.
 */
export function attributeBorrows(
  context: InvokeContext,
  obligation: SolendObligation,
  reserves: readonly InstructionAccount[],
): Attribution {
  const { depositedValue, unweightedBorrowValue } = obligation;
  let isOpenLimitExceeded = false;
  let isCloseLimitExceeded = false;
  const deposits = obligation.deposits.map((deposit, index) => {
    const account = accountAt(reserves, index);
    const reserve = loadReserve(account);
    check(context, deposit.depositReserve === account.address, 'InvalidAccountInput');
    const attributedBorrowValue =
      depositedValue > 0n ? divideWads(multiplyWads(deposit.marketValue, unweightedBorrowValue), depositedValue) : 0n;
    const ofOthers = reserve.attributedBorrowValue - deposit.attributedBorrowValue;
    const ofReserve = addWads(ofOthers < 0n ? 0n : ofOthers, attributedBorrowValue);
    isOpenLimitExceeded ||= ofReserve > reserve.attributedBorrowLimitOpen * WAD;
    isCloseLimitExceeded ||= ofReserve > reserve.attributedBorrowLimitClose * WAD;
    storeReserve(account, { ...reserve, attributedBorrowValue: ofReserve });
    return { ...deposit, attributedBorrowValue };
  });
  return { obligation: { ...obligation, deposits }, isOpenLimitExceeded, isCloseLimitExceeded };
}
