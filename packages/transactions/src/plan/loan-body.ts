import { hasLiability } from '@lending/domain';
import type { P0Bank } from '@lending/venues';
import type { Address, Instruction } from '@solana/kit';
import { instructionsOfVenue } from '#instructions/bank-instructions.ts';
import { borrow, p0Instructions, repay } from '#instructions/p0.ts';
import type { BankParty } from '#instructions/venue-instructions.ts';
import type { SizedClose, SizedLeverage, SizedLoop } from '#leverage.ts';
import type { LeverageState } from '#live/leverage-state.ts';
import { healthAfterBorrow, healthAfterWithdrawal } from './health-after.ts';
import { guardSwap } from './swap-guard.ts';

/** What stands between the start of a flash loan and its end, and what the end has to judge. */
export interface LoanBody {
  readonly instructions: readonly Instruction[];
  /** Banks of the balances that are active afterwards. */
  readonly banksAfter: readonly P0Bank[];
  /** Whether anything is owed afterwards. Without debt any collateral will do, however old its price. */
  readonly owesAfter: boolean;
}

/** Both banks as the wallet acts on them. */
export interface LoanParties {
  readonly deposit: BankParty;
  readonly borrow: BankParty;
}

/**
 * Health is not judged inside, but from 0.1.10 the program looks for a halted bank among all balances after a borrow, and after a withdrawal
 * while something is owed: both take the health list as it stands after them.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `run_cb_price_gate`
 */
export function planBody(state: LeverageState, sized: SizedLeverage, parties: LoanParties): Promise<LoanBody> {
  return sized.kind === 'loop' ? planLoop(state, sized, parties) : planClose(state, sized, parties);
}

async function planLoop(state: LeverageState, sized: SizedLoop, parties: LoanParties): Promise<LoanBody> {
  const { bank } = parties.deposit;
  const loan = await borrow(parties.borrow, sized.borrow, healthAfterBorrow(state, parties.borrow.bank));
  const deposit = await instructionsOfVenue(bank.venue).deposit(parties.deposit, sized.supplied, readerOf(state));
  const banksAfter = new Map(heldBanks(state)).set(bank.address, bank);
  banksAfter.set(parties.borrow.bank.address, parties.borrow.bank);
  return {
    instructions: [loan, ...swapOf(state, sized), deposit],
    banksAfter: [...banksAfter.values()],
    owesAfter: true,
  };
}

async function planClose(state: LeverageState, sized: SizedClose, parties: LoanParties): Promise<LoanBody> {
  const { bank } = parties.deposit;
  const venue = instructionsOfVenue(bank.venue);
  const read = readerOf(state);
  const assetShares = balanceIn(state, bank)?.assetShares ?? 0n;
  const units = venue.unitsToWithdraw(bank, { amount: sized.withdraw, assetShares, moment: state.accounts }, read);
  const withdrawal = await venue.withdraw(parties.deposit, units, healthAfterWithdrawal(state, bank, units), read);
  const again = sized.redeposit > 0n ? [await p0Instructions.deposit(parties.borrow, sized.redeposit, read)] : [];
  const closed = new Set<Address>();
  if (units === 'all') closed.add(bank.address);
  if (sized.repay === 'all') closed.add(parties.borrow.bank.address);
  const debts = (state.account.state?.balances ?? []).filter(hasLiability);
  const kept = [...heldBanks(state).values()].filter(({ address }) => !closed.has(address));
  return {
    instructions: [withdrawal, ...swapOf(state, sized), repay(parties.borrow, sized.repay), ...again],
    banksAfter: again.length > 0 ? [...kept, parties.borrow.bank] : kept,
    owesAfter: debts.some((debt) => !closed.has(debt.bank)),
  };
}

function swapOf(state: LeverageState, sized: SizedLeverage): readonly Instruction[] {
  return [...(sized.swap?.swap ?? []), ...guardSwap(state, sized)];
}

function heldBanks({ held }: LeverageState): ReadonlyMap<Address, P0Bank> {
  return new Map([...held].map(([address, { bank }]) => [address, bank]));
}

function balanceIn({ account }: LeverageState, { address }: P0Bank) {
  return account.state?.balances.find(({ bank }) => bank === address);
}

function readerOf({ accounts }: LeverageState) {
  return (address: Address) => accounts.get(address);
}
