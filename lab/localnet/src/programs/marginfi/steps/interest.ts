import { accrueLedger, computeCachedRates, type InterestFees, skipHalts } from '@lending/domain';
import { lendingPoolBankAccrueInterestEvent, readAddress } from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader } from '#programs/anchor/account-reader.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { fail } from '../marginfi-error.ts';
import { ACCRUAL_UNITS } from '../marginfi-units.ts';
import { toFloat } from '../risk/health.ts';
import { readBankConfig } from '../risk/oracles.ts';
import { arePricesLocked, type BankState, readLedger, resetCache, writeLedger } from '../state/bank-state.ts';
import { chargesProgramFees, type GroupState } from '../state/group-state.ts';

const U32_MAX = 0xffff_ffffn;

/**
 * Brings a bank's interest up to date, as every instruction that touches a bank does first.
 * @see marginfi-v2 programs/marginfi/src/state/bank.rs `accrue_interest`
 */
export function accrueInterest(context: InvokeContext, bank: Loader<BankState>, group: GroupState): void {
  const state = bank.loadMut();
  const now = context.slot.unixTimestamp;
  const config = readBankConfig(bank.account);
  const { cbHaltStartedAt: haltStartedAt, cbHaltEndedAt: haltEndedAt } = state;
  const halts = { haltStartedAt, haltEndedAt, frozenSecondsPending: state.cbFrozenSecondsPending };
  const lastUpdate = skipHalts(halts, state.lastUpdate, now);
  const seconds = now - lastUpdate;
  const ledger = { ...readLedger(state), lastUpdate };
  const accrued = accrueLedger(ledger, config.curve, feesOf(config, group), now);
  if (accrued.kind === 'refused') fail(accrued.error);
  if (now !== state.lastUpdate) state.cbFrozenSecondsPending = 0n;
  if (seconds === 0n) {
    state.lastUpdate = now;
    return;
  }
  const { interest } = accrued;
  context.consume(interest === null ? ACCRUAL_UNITS.none : ACCRUAL_UNITS.interest);
  writeLedger(state, accrued.bank);
  state.liabilityShareValue = accrued.bank.liabilityShareValue;
  state.lastUpdate = accrued.bank.lastUpdate;
  if (interest !== null) {
    state.accumulatedSinceLastUpdate = interest.toDepositors;
    state.interestAccumulatedFor = Number(seconds < U32_MAX ? seconds : U32_MAX);
  }
  emitEvent(context, lendingPoolBankAccrueInterestEvent, {
    header: { signer: null, marginfiGroup: readAddress(state.group) },
    bank: bank.account.address,
    mint: readAddress(state.mint),
    delta: seconds,
    feesCollected: toFloat(interest?.groupFees ?? 0n),
    insuranceCollected: toFloat(interest?.insuranceFees ?? 0n),
  });
}

/**
 * Leaves the rates that follow from the instruction in the bank's cache.
 * @see marginfi-v2 programs/marginfi/src/state/bank.rs `update_bank_cache`
 */
export function updateRates(context: InvokeContext, bank: Loader<BankState>, group: GroupState): void {
  const state = bank.loadMut();
  if (arePricesLocked(state)) return;
  const config = readBankConfig(bank.account);
  const cached = computeCachedRates(state, config.curve, feesOf(config, group));
  if (cached.kind === 'refused') fail(cached.error);
  if (cached.rates === null) {
    resetCache(state);
    return;
  }
  Object.assign(state, cached.rates);
  state.lastUpdate = context.slot.unixTimestamp;
}

function feesOf({ fees }: P0Bank, group: GroupState): InterestFees {
  const program = chargesProgramFees(group) ? { rate: group.programFeeRate, fixedApr: group.programFeeFixed } : null;
  return { ...fees, program };
}
