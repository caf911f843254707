import { smallerOf, U64_MAX } from '@lending/domain';
import {
  borrowSolendLiquidity,
  type SolendLendingMarket,
  type SolendObligation,
  type SolendReserve,
} from '@lending/programs';
import {
  addWads,
  computeSolendBorrowFees,
  divideWads,
  floorWads,
  multiplyWads,
  solendAmountOfValue,
  solendBorrowWeight,
  solendUpperPrice,
  solendValueAt,
  WAD,
} from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { takeAccounts } from '../../account-list.ts';
import { check } from '../solend-error.ts';
import { storeMarket } from '../state/market-state.ts';
import { loadObligation, newBorrow, type ObligationBorrow, storeObligation } from '../state/obligation-state.ts';
import { loadReserve, storeStaleReserve } from '../state/reserve-state.ts';
import { attributeBorrows } from '../steps/borrow-attribution.ts';
import { MAX_ENTRIES } from '../steps/deposit-collateral.ts';
import { takeAuthority, takeMarket } from '../steps/market.ts';
import { remainingOutflow, takeOutflow } from '../steps/outflow.ts';
import { isStale } from '../steps/staleness.ts';
import { transferTokens } from '../steps/tokens.ts';
import { wholeTokenBase } from '../steps/whole-token.ts';

const NAMED = 9;

export const borrowLiquidity = defineProgramInstruction({
  layout: borrowSolendLiquidity,
  run(context, { liquidityAmount }) {
    check(context, liquidityAmount > 0n, 'InvalidAmount');
    const [
      source,
      destination,
      account,
      feeReceiver,
      obligationAccount,
      marketAccount,
      authority,
      owner,
      tokenProgram,
    ] = takeAccounts(context.accounts, NAMED);
    const market = takeMarket(context, marketAccount, tokenProgram);
    const reserve = loadReserve(account);
    const { liquidity, config } = reserve;
    check(context, account.owner === context.programId, 'InvalidAccountOwner');
    const isOfReserve =
      reserve.lendingMarket === marketAccount.address &&
      liquidity.supplyPubkey === source.address &&
      liquidity.supplyPubkey !== destination.address &&
      config.feeReceiver === feeReceiver.address;
    check(context, isOfReserve, 'InvalidAccountInput');
    check(context, !isStale(context, reserve), 'ReserveStale');
    const isBelowLimit =
      liquidityAmount === U64_MAX ||
      floorWads(addWads(liquidityAmount * WAD, liquidity.borrowedAmountWads)) <= config.borrowLimit;
    check(context, isBelowLimit, 'InvalidAmount');
    const obligation = takeObligation(context, obligationAccount, marketAccount, owner);
    const seeds = takeAuthority(context, market, marketAccount, authority);
    assertTier(context, obligation, reserve, account);

    const loan = computeLoan(context, { amount: liquidityAmount, market, reserve, obligation });
    check(context, loan.received > 0n, 'BorrowTooSmall');
    storeLoan(context, { marketAccount, market, account, reserve, obligationAccount, obligation }, loan.borrowedWads);
    const pay = (to: InstructionAccount, amount: bigint) =>
      transferTokens(context, { accounts: [source, to], authority, tokenProgram, amount, seeds });
    const host = context.accounts[NAMED + obligation.deposits.length];
    const hostFee = host === undefined ? 0n : loan.hostFee;
    check(context, hostFee <= loan.fee, 'MathOverflow');
    if (host !== undefined && hostFee > 0n) pay(host, hostFee);
    if (loan.fee > hostFee) pay(feeReceiver, loan.fee - hostFee);
    pay(destination, loan.received);
  },
});

/** @throws InstructionError */
function takeObligation(
  context: InvokeContext,
  account: InstructionAccount,
  market: InstructionAccount,
  owner: InstructionAccount,
): SolendObligation {
  const obligation = loadObligation(account);
  check(context, account.owner === context.programId, 'InvalidAccountOwner');
  check(context, obligation.lendingMarket === market.address, 'InvalidAccountInput');
  check(context, obligation.owner === owner.address, 'InvalidObligationOwner');
  check(context, owner.isSigner, 'InvalidSigner');
  check(context, !isStale(context, obligation), 'ObligationStale');
  check(context, obligation.deposits.length > 0, 'ObligationDepositsEmpty');
  check(context, obligation.depositedValue > 0n, 'ObligationDepositsZero');
  return obligation;
}

/** Who owes an isolated asset owes nothing else. @throws InstructionError IsolatedTierAssetViolation */
function assertTier(
  context: InvokeContext,
  { borrows, borrowingIsolatedAsset }: SolendObligation,
  reserve: SolendReserve,
  account: InstructionAccount,
): void {
  const isAlone = borrows.length === 0 || (borrows.length === 1 && borrows[0]?.borrowReserve === account.address);
  const isAllowed = reserve.reserveType === 1 ? isAlone : borrowingIsolatedAsset === 0;
  check(context, isAllowed, 'IsolatedTierAssetViolation');
}

interface LoanRequest {
  readonly amount: bigint;
  readonly market: SolendLendingMarket;
  readonly reserve: SolendReserve;
  readonly obligation: SolendObligation;
}

/** What is owed (fee included), what arrives, and what is charged once. */
interface Loan {
  readonly borrowedWads: bigint;
  readonly received: bigint;
  readonly fee: bigint;
  readonly hostFee: bigint;
}

function computeLoan(context: InvokeContext, { amount, market, reserve, obligation }: LoanRequest): Loan {
  const { allowedBorrowValue, borrowedValueUpperBound } = obligation;
  const power = allowedBorrowValue - borrowedValueUpperBound;
  check(context, power > 0n, 'BorrowTooLarge');
  const ofMarket = smallerOf(remainingOutflow(context, market.rateLimiter), power);
  const ofReserve = remainingOutflow(context, reserve.rateLimiter);
  const outflow = smallerOf(solendAmountOfValue(ofMarket, reserve), ofReserve);
  const unit = wholeTokenBase(reserve);
  return amount === U64_MAX
    ? greatestLoan(context, reserve, { power, outflow, unit })
    : givenLoan(context, reserve, power, amount);
}

/** As much as the collateral, the reserve's limit and tokens, and the rate limiters allow; the fee comes out of it. */
function greatestLoan(
  context: InvokeContext,
  reserve: SolendReserve,
  { power, outflow, unit }: { readonly power: bigint; readonly outflow: bigint; readonly unit: bigint },
): Loan {
  const { liquidity, config } = reserve;
  const room = config.borrowLimit * WAD - liquidity.borrowedAmountWads;
  const tokens = divideWads(power * unit, solendUpperPrice(reserve));
  const borrowedWads = [
    divideWads(tokens, solendBorrowWeight(reserve)),
    smallerOf(room < 0n ? 0n : room, outflow),
    liquidity.availableAmount * WAD,
  ].reduce(smallerOf);
  const { feeWads, borrowFee, hostFee } = computeSolendBorrowFees(reserve, borrowedWads, 'included');
  check(context, feeWads === 0n || feeWads < borrowedWads, 'BorrowTooSmall');
  const received = floorWads(borrowedWads) - borrowFee;
  check(context, received >= 0n, 'MathOverflow');
  return { borrowedWads, received, fee: borrowFee, hostFee };
}

/** What was asked for; the fee comes on top and counts against the collateral. */
function givenLoan(context: InvokeContext, reserve: SolendReserve, power: bigint, received: bigint): Loan {
  const { feeWads, borrowFee, hostFee } = computeSolendBorrowFees(reserve, received * WAD, 'added');
  check(context, feeWads === 0n || feeWads < received * WAD, 'BorrowTooSmall');
  const borrowedWads = addWads(received * WAD, borrowFee * WAD);
  const value = multiplyWads(
    solendValueAt(solendUpperPrice(reserve), borrowedWads, reserve),
    solendBorrowWeight(reserve),
  );
  check(context, value <= power, 'BorrowTooLarge');
  return { borrowedWads, received, fee: borrowFee, hostFee };
}

interface LoanState {
  readonly marketAccount: InstructionAccount;
  readonly market: SolendLendingMarket;
  readonly account: InstructionAccount;
  readonly reserve: SolendReserve;
  readonly obligationAccount: InstructionAccount;
  readonly obligation: SolendObligation;
}

/** Writes a loan into market, reserve and obligation. @throws InstructionError */
function storeLoan(context: InvokeContext, state: LoanState, borrowedWads: bigint): void {
  const { market, reserve, account, obligation } = state;
  const { liquidity } = reserve;
  const upperValue = solendValueAt(solendUpperPrice(reserve), borrowedWads, reserve);
  const ofMarket = takeOutflow(context, market.rateLimiter, upperValue);
  const ofReserve = takeOutflow(context, reserve.rateLimiter, borrowedWads);
  storeMarket(state.marketAccount, { ...market, rateLimiter: ofMarket });
  const leaving = floorWads(borrowedWads);
  check(context, leaving <= liquidity.availableAmount, 'InsufficientLiquidity');
  const lent = {
    ...liquidity,
    availableAmount: liquidity.availableAmount - leaving,
    borrowedAmountWads: addWads(liquidity.borrowedAmountWads, borrowedWads),
  };
  const value = solendValueAt(liquidity.marketPrice, borrowedWads, reserve);
  storeStaleReserve(account, { ...reserve, liquidity: lent, rateLimiter: ofReserve });
  const indebted: SolendObligation = {
    ...obligation,
    borrowedValue: addWads(obligation.borrowedValue, multiplyWads(value, solendBorrowWeight(reserve))),
    unweightedBorrowValue: addWads(obligation.unweightedBorrowValue, value),
    borrows: withLoan(context, obligation, account, liquidity.cumulativeBorrowRateWads, borrowedWads),
    lastUpdate: { ...obligation.lastUpdate, stale: 1 },
  };
  const attributed = attributeBorrows(context, indebted, context.accounts.slice(NAMED));
  check(context, !attributed.isOpenLimitExceeded, 'BorrowAttributionLimitExceeded');
  storeObligation(state.obligationAccount, attributed.obligation);
}

function withLoan(
  context: InvokeContext,
  { deposits, borrows }: SolendObligation,
  account: InstructionAccount,
  cumulativeRate: bigint,
  borrowedWads: bigint,
): ObligationBorrow[] {
  const index = borrows.findIndex(({ borrowReserve }) => borrowReserve === account.address);
  const borrow = borrows[index];
  if (borrow === undefined) {
    check(context, deposits.length + borrows.length < MAX_ENTRIES, 'ObligationReserveLimit');
    return [...borrows, { ...newBorrow(account.address, cumulativeRate), borrowedAmountWads: borrowedWads }];
  }
  return borrows.with(index, { ...borrow, borrowedAmountWads: addWads(borrow.borrowedAmountWads, borrowedWads) });
}
