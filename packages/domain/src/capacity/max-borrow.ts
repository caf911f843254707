import { assetAmountOf, liabilityAmountOf, liabilitySharesFor } from '../accounting/share-amounts.ts';
import { amountAfterFee } from '../accounting/transfer-fee.ts';
import { findEdge } from '../find-edge.ts';
import { floorI80F48, I80F48_ONE, integerToI80F48, multiplyI80F48 } from '../i80f48.ts';
import { smallerOf, U64_MAX } from '../integers.ts';
import type { ProgramErrorName } from '../program-error-name.ts';
import { balanceScaleOf } from '../risk/calc-value.ts';
import { computeRequirement } from '../risk/requirement.ts';
import { attemptBorrow } from './attempt.ts';
import { balancesWith, type CapacityState, heldShares } from './capacity-state.ts';
import { checkOfBorrow, createHealthCheck } from './health-check.ts';
import { type Capacity, limitOfError } from './limit.ts';

/**
 * The most that a borrow pays out: the instruction passes with it and fails with one base unit more.
 * Every check grows stricter with the amount but one: a debt of less than a share is refused, so the search starts at the smallest debt
 * that is not. Emode and the isolated tier look at whether there is a debt, never at its size.
 */
export function maxBorrow(state: CapacityState): Capacity {
  const checkHealth = checkOfBorrow(state, createHealthCheck(state));
  const judge = (amountBase: bigint): ProgramErrorName | null => {
    const outcome = attemptBorrow(state, amountBase, checkHealth);
    return outcome.kind === 'refused' ? outcome.error : null;
  };
  const smallest = smallestDebt(judge);
  const refusal = judge(smallest);
  if (refusal !== null) return { maxBase: 0n, limitedBy: limitOfError(refusal), error: refusal };
  const { last, error } = findEdge(judge, smallest, estimate(state, smallest));
  return { maxBase: last, limitedBy: error === null ? null : limitOfError(error), error };
}

/** The smallest borrow that leaves a share or more, or that something else refuses. */
function smallestDebt(judge: (amountBase: bigint) => ProgramErrorName | null): bigint {
  const isTooSmall = (amountBase: bigint) => judge(amountBase) === 'IllegalBalanceState';
  let enough = 1n;
  while (enough < U64_MAX && isTooSmall(enough)) enough *= 2n;
  let tooSmall = enough / 2n;
  while (enough - tooSmall > 1n) {
    const middle = (enough + tooSmall) / 2n;
    if (isTooSmall(middle)) tooSmall = middle;
    else enough = middle;
  }
  return enough;
}

/** Near the answer in most cases: what health, debt limit, utilisation, vault and a token's own fee leave. */
function estimate(state: CapacityState, smallest: bigint): bigint {
  const { ledger, vaultBase, transferFee } = state.bank;
  const { borrowLimit, interestRateConfig } = ledger.config;
  const owed = floorI80F48(liabilityAmountOf(ledger, ledger.totalLiabilityShares));
  const deposited = floorI80F48(assetAmountOf(ledger, ledger.totalAssetShares));
  const debtRoom = smallerOf(healthRoom(state, smallest), smallerOf(borrowLimit, deposited) - owed);
  const withoutFee = (debtRoom * I80F48_ONE) / (I80F48_ONE + interestRateConfig.protocolOriginationFee);
  const sent = smallerOf(vaultBase, withoutFee);
  return sent > 0n ? amountAfterFee(transferFee, sent) : 0n;
}

/** What free collateral pays for at the target's price and weight, once it is a debt; base units. */
function healthRoom(state: CapacityState, smallest: bigint): bigint {
  const { risk, price, ledger } = state.bank;
  if (price.kind === 'failed' || typeof price.ema === 'string') return U64_MAX;
  const held = heldShares(state);
  const liabilityShares = held.liabilityShares + liabilitySharesFor(ledger, integerToI80F48(smallest));
  const outcome = computeRequirement(balancesWith(state, ledger, { ...held, liabilityShares }), 'initial');
  const unitUsd = multiplyI80F48(price.ema.high, risk.weights.liabilityInit);
  if (outcome.kind === 'refused' || unitUsd <= 0n) return U64_MAX;
  const free = outcome.assets - outcome.liabilities;
  return smallest + floorI80F48((free * balanceScaleOf(risk)) / unitUsd);
}
