import { assetAmountOf, assetSharesFor } from '../accounting/share-amounts.ts';
import { EMPTY_BALANCE_SHARES } from '../accounting/thresholds.ts';
import { amountAfterFee } from '../accounting/transfer-fee.ts';
import { findEdge } from '../find-edge.ts';
import { floorI80F48, integerToI80F48, multiplyI80F48 } from '../i80f48.ts';
import { smallerOf, U64_MAX } from '../integers.ts';
import type { ProgramErrorName } from '../program-error-name.ts';
import { balanceScaleOf } from '../risk/calc-value.ts';
import { computeRequirement } from '../risk/requirement.ts';
import { attemptWithdraw, bookedWithdrawal } from './attempt.ts';
import { type CapacityState, heldShares } from './capacity-state.ts';
import { createHealthCheck } from './health-check.ts';
import { type Capacity, limitOfError } from './limit.ts';

/** `withdrawsAll` asks for the flag that closes the balance; `maxBase` is then what the receiver gets of it. */
export interface WithdrawCapacity extends Capacity {
  readonly withdrawsAll: boolean;
}

/**
 * The most that a withdrawal pays out. Where the whole deposit may leave, it leaves with its slot: a plain withdrawal of as much would
 * keep an empty balance, and could at best round a fraction of 0.9999 or more up to one unit more. Otherwise the instruction passes
 * with the amount and fails with one base unit more.
 * Checks grow stricter with the amount until less than a share stays: then the balance counts nothing, and its oracle is not asked any
 * more, so that last stretch is searched on its own.
 */
export function maxWithdraw(state: CapacityState): WithdrawCapacity {
  const checkHealth = createHealthCheck(state);
  const all = attemptWithdraw(state, 'all', checkHealth);
  if (all.kind === 'done') {
    const maxBase = amountAfterFee(state.bank.transferFee, all.vaultFlowBase);
    return { maxBase, limitedBy: 'balance', error: 'OperationWithdrawOnly', withdrawsAll: true };
  }
  const judge = (amountBase: bigint): ProgramErrorName | null => {
    const outcome = attemptWithdraw(state, amountBase, checkHealth);
    return outcome.kind === 'refused' ? outcome.error : null;
  };
  const ofNothing = judge(0n);
  const emptying = ofNothing === 'MathError' ? 0n : smallestEmptyingAmount(state);
  const start = judge(emptying) === null ? emptying : 0n;
  const refusal = start === 0n ? ofNothing : null;
  if (refusal !== null) return { maxBase: 0n, limitedBy: limitOfError(refusal), error: refusal, withdrawsAll: false };
  const { last, error } = findEdge(judge, start, start === 0n ? estimate(state, emptying) : start);
  return { maxBase: last, limitedBy: error === null ? null : limitOfError(error), error, withdrawsAll: false };
}

/** The smallest amount that leaves less than a share; at most a few units above what the last share is worth. */
function smallestEmptyingAmount(state: CapacityState): bigint {
  const { ledger } = state.bank;
  const { assetShares } = heldShares(state);
  if (ledger.assetShareValue === 0n) return 0n;
  const leavesNothing = (amountBase: bigint) => {
    const booked = bookedWithdrawal(state.bank, amountBase) ?? U64_MAX;
    return assetShares - assetSharesFor(ledger, integerToI80F48(booked)) < EMPTY_BALANCE_SHARES;
  };
  let amountBase = paidFor(state, floorI80F48(assetAmountOf(ledger, assetShares - EMPTY_BALANCE_SHARES)));
  while (!leavesNothing(amountBase)) amountBase += 1n;
  return amountBase;
}

/** Near the answer in most cases: what health, utilisation and vault leave. */
function estimate(state: CapacityState, emptying: bigint): bigint {
  const { ledger, vaultBase, transferFee } = state.bank;
  const deposited = multiplyI80F48(ledger.totalAssetShares, ledger.assetShareValue);
  const owed = multiplyI80F48(ledger.totalLiabilityShares, ledger.liabilityShareValue);
  const ofBooks = paidFor(state, smallerOf(healthRoom(state), floorI80F48(deposited - owed)));
  return smallerOf(ofBooks, smallerOf(amountAfterFee(transferFee, vaultBase), emptying));
}

/** What the receiver gets for so much of the books; nothing for less than nothing. */
function paidFor({ bank: { transferFee, units } }: CapacityState, bookedBase: bigint): bigint {
  if (bookedBase <= 0n) return 0n;
  return units === null ? amountAfterFee(transferFee, bookedBase) : units.worth(bookedBase);
}

/** What free collateral lets go of at this balance's own price and weight, base units. */
function healthRoom(state: CapacityState): bigint {
  const { risk } = state.bank;
  const balances = state.account.balances;
  const index = balances.findIndex(({ bank }) => bank.address === risk.address);
  const outcome = computeRequirement(balances, 'initial');
  const value = outcome.kind === 'valued' ? outcome.values[index] : undefined;
  if (outcome.kind === 'refused' || value === undefined) return 0n;
  const unitUsd = multiplyI80F48(value.price, value.weight);
  const free = outcome.assets - outcome.liabilities;
  return unitUsd <= 0n ? floorI80F48(value.amount) : floorI80F48((free * balanceScaleOf(risk)) / unitUsd);
}
