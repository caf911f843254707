import {
  ACCOUNT_FLAG,
  attemptFlashLoan,
  type FlashLoanOutcome,
  type FlashLoanState,
  type FlashLoanStep,
  type Limit,
  limitOfError,
  type ProgramErrorName,
  type RiskBalance,
} from '@lending/domain';
import type { LendingError } from '@lending/errors';
import type { LeverageAction, SizedLeverage } from '#leverage.ts';
import type { LeverageState } from '#live/leverage-state.ts';
import type { AmountState } from './amount-check.ts';
import { capacitiesOf } from './capacity-state.ts';
import type { PriceOptions } from './prices-to-come.ts';
import { readVenue, type VenueState } from './venue-check.ts';

/** What a loop or a close does, one after the other, and the look at health that ends it. */
export type LoanStep = 'borrow' | 'deposit' | 'withdraw' | 'repay' | 'redeposit' | 'end';

/** Why a loan does not pass: at which step, by an error of P0's program or for want of the venue's room. */
export type LoanVerdict =
  | {
      readonly by: 'program';
      readonly step: LoanStep;
      readonly error: ProgramErrorName;
      /** The account when it was refused. */
      readonly balances: readonly RiskBalance[];
    }
  | { readonly by: 'venue'; readonly step: 'deposit' | 'withdraw'; readonly roomBase: bigint };

/** All that decides a loan but the wallet. */
export interface LoanState {
  readonly flashLoan: FlashLoanState;
  /** Of the deposit bank. */
  readonly venue: VenueState;
}

/** The banks and the account as a flash loan on them would find them, or why nothing can be done with the venue. */
export function readLoan(
  state: LeverageState,
  kind: LeverageAction['kind'],
  options: PriceOptions = {},
): { readonly loan: LoanState } | { readonly refusal: LendingError } {
  const found = readVenue(state, state.collateral.live, kind === 'loop' ? 'deposit' : 'withdraw');
  if ('refusal' in found) return found;
  const { collateral, debt } = state;
  const flashLoan = capacitiesOf(state, [debt.live, collateral.live], options);
  return { loan: { flashLoan, venue: found.venue } };
}

interface NamedStep {
  readonly name: LoanStep;
  readonly step: FlashLoanStep;
}

/** Null where the loan passes. */
export function judgeLoan({ flashLoan, venue }: LoanState, sized: SizedLeverage): LoanVerdict | null {
  const steps = stepsOf(sized);
  const [atVenue, movedBase] =
    sized.kind === 'loop' ? (['deposit', sized.supplied] as const) : (['withdraw', null] as const);
  const outcome = attemptFlashLoan(
    flashLoan,
    steps.map(({ step }) => step),
  );
  const refused = refusedStep(steps, outcome);
  if (refused !== null && refused.step !== 'end') return refused;
  const roomBase = roomOf(venue, atVenue);
  const base = movedBase ?? withdrawnBase(sized, outcome);
  if (roomBase !== null && base !== null && base > roomBase) return { by: 'venue', step: atVenue, roomBase };
  return refused;
}

/** What the account has where the loan ends, passed or not. */
export function balancesAfter({ flashLoan }: LoanState, sized: SizedLeverage): readonly RiskBalance[] {
  return attemptFlashLoan(
    flashLoan,
    stepsOf(sized).map(({ step }) => step),
  ).balances;
}

/** One step of the loan on its own, as far as its bank decides it. */
export function amountsOf(
  { flashLoan, venue }: LoanState,
  kind: 'borrow' | 'deposit' | 'withdraw' | 'repay',
): AmountState {
  const { account, group, unixTimestamp, banks } = flashLoan;
  const [debt, collateral] = banks;
  const atVenue = kind === 'deposit' || kind === 'withdraw';
  const bank = atVenue ? collateral : debt;
  if (bank === undefined) throw new TypeError('A loan is of two banks');
  const flags = account.flags | ACCOUNT_FLAG.inFlashLoan;
  const capacity = { account: { ...account, flags }, bank, group, unixTimestamp };
  return { kind, capacity, reading: atVenue ? venue.reading : null };
}

/** The program's error as what binds; a venue's room counts as the bank's. */
export function limitOfVerdict(verdict: LoanVerdict): Limit {
  if (verdict.by === 'program') return limitOfError(verdict.error);
  return verdict.step === 'deposit' ? 'deposit_cap' : 'liquidity';
}

function stepsOf(sized: SizedLeverage): readonly NamedStep[] {
  const { depositBank, borrowBank } = sized;
  if (sized.kind === 'loop') {
    const deposit = { kind: 'deposit', bank: depositBank, amountBase: sized.supplied } as const;
    const borrow = { kind: 'borrow', bank: borrowBank, amountBase: sized.borrow } as const;
    const steps: readonly NamedStep[] = [{ name: 'deposit', step: deposit }];
    return sized.borrow > 0n ? [{ name: 'borrow', step: borrow }, ...steps] : steps;
  }
  const withdraw = { kind: 'withdraw', bank: depositBank, amountBase: sized.withdraw } as const;
  const repay = { kind: 'repay', bank: borrowBank, amountBase: sized.repay } as const;
  const again = { kind: 'deposit', bank: borrowBank, amountBase: sized.redeposit } as const;
  const steps: readonly NamedStep[] = [
    { name: 'withdraw', step: withdraw },
    { name: 'repay', step: repay },
  ];
  return sized.redeposit > 0n ? [...steps, { name: 'redeposit', step: again }] : steps;
}

function refusedStep(steps: readonly NamedStep[], outcome: FlashLoanOutcome) {
  if (outcome.kind === 'done') return null;
  const { step, error, balances } = outcome;
  const name: LoanStep = step === null ? 'end' : (steps[step]?.name ?? 'end');
  return { by: 'program', step: name, error, balances } as const;
}

/** What arrives of a withdrawal; null on a loop, and where it was refused. */
function withdrawnBase(sized: SizedLeverage, { passed }: FlashLoanOutcome): bigint | null {
  if (sized.kind === 'loop') return null;
  if (sized.withdraw !== 'all') return sized.withdraw;
  const [withdrawn] = passed;
  return withdrawn === undefined ? null : withdrawn.vaultFlowBase;
}

function roomOf({ reading }: VenueState, step: 'deposit' | 'withdraw'): bigint | null {
  if (reading === null) return null;
  return step === 'deposit' ? reading.limits.depositRoomBase : reading.limits.withdrawRoomBase;
}
