import { hasLiability } from '@lending/domain';
import { LendingError } from '@lending/errors';
import type { P0Bank } from '@lending/venues';
import type { Address, Instruction } from '@solana/kit';
import type { ActionAmount, LendingAction, LendingActionKind } from '#action.ts';
import { takesPulse } from '#checks/needs-pulse.ts';
import { instructionsOfVenue } from '#instructions/bank-instructions.ts';
import { healthAccounts } from '#instructions/health-accounts.ts';
import { borrow, pulseHealth, repay } from '#instructions/p0.ts';
import type { BankParty, MissingAccount } from '#instructions/venue-instructions.ts';
import type { ActionState, LiveBank, WalletTokens } from '#live/action-state.ts';
import { actionLabel, type BankWords } from './action-label.ts';
import type { ActionPlan, TransactionType } from './action-plan.ts';
import { partyOf } from './bank-party.ts';
import { healthAfterBorrow, healthAfterWithdrawal, otherBanks } from './health-after.ts';
import { openingOf, rentOf } from './plan-create-account.ts';
import { planRefresh } from './plan-refresh.ts';
import { rentToPay } from './rent-to-pay.ts';
import { planWalletSide } from './wallet-side.ts';
import { writtenBy } from './written-by.ts';

const TYPES: Readonly<Record<LendingActionKind, TransactionType>> = {
  deposit: 'DEPOSIT',
  withdraw: 'WITHDRAW',
  borrow: 'BORROW',
  repay: 'REPAY',
};

/**
 * Plans an action on a bank as instructions, from what was read: opens the account where there is none, and brings to this slot what the
 * program or a venue wants of it. Whether the action may be done is not asked here: what must fail is planned like what passes.
 * @param words how the bank is spoken of in the label.
 * @throws ACTION__BANK_UNAVAILABLE, where an account that the plan is made of is not there or cannot be read.
 */
export async function planAction(state: ActionState, action: LendingAction, words: BankWords): Promise<ActionPlan> {
  const { target, tokens } = subjectOf(state);
  const party = partyOf(state, target, tokens);
  const wallet = planWalletSide({ state, action, target, tokens });
  const missing = await missingAccounts(party, action.kind, state);
  const others = banksToValue(state, action, target);
  const refresh = await planRefresh(action.kind, target.bank, others, (address) => state.accounts.get(address));
  const acting = await planInstruction(state, action, party);
  const pulse = takesPulse(state, action) ? await planPulse(state, action, party) : null;
  const setup = [...openingOf(state), ...missing.map(({ create }) => create), ...wallet.setup];
  return {
    type: TYPES[action.kind],
    label: actionLabel(action, target.mint.decimals, words),
    setup,
    isSetupBound: false,
    refresh,
    action: [acting],
    pulse,
    cleanup: wallet.cleanup,
    rent: [
      ...rentOf(state),
      ...missing.map(({ address, bytes }) => ({ address, lamports: rentToPay(state, address, bytes) })),
      ...wallet.rent,
    ],
    watch: writtenBy(state, [...setup, ...(pulse?.refresh ?? refresh), acting, ...wallet.cleanup]),
  };
}

function subjectOf({ target, walletTokens }: ActionState): { target: LiveBank; tokens: WalletTokens } {
  if (target !== null && walletTokens !== null) return { target, tokens: walletTokens };
  throw new LendingError('INTERNAL__UNEXPECTED', {
    message: 'An action was to be planned without its bank being read',
  });
}

async function missingAccounts(party: BankParty, kind: LendingActionKind, { accounts }: ActionState) {
  if (kind !== 'deposit' && kind !== 'withdraw') return [] as readonly MissingAccount[];
  return instructionsOfVenue(party.bank.venue).missingAccounts(kind, party, (address) => accounts.get(address));
}

function planInstruction(state: ActionState, { kind, amount }: LendingAction, party: BankParty): Promise<Instruction> {
  const read = (address: Address) => state.accounts.get(address);
  const venue = instructionsOfVenue(party.bank.venue);
  switch (kind) {
    case 'deposit':
      return venue.deposit(party, partOf(kind, amount), read);
    case 'withdraw': {
      const units = venue.unitsToWithdraw(party.bank, goalOf(state, amount, party.bank), read);
      return venue.withdraw(party, units, healthAfterWithdrawal(state, party.bank, units), read);
    }
    case 'borrow':
      return borrow(party, partOf(kind, amount), healthAfterBorrow(state, party.bank));
    case 'repay':
      return Promise.resolve(repay(party, amount));
  }
}

/** A pulse values all balances: those on venues are refreshed, too, and one that the action closes is not listed. */
async function planPulse(state: ActionState, { kind, amount }: LendingAction, party: BankParty) {
  const others = otherBanks(state, party.bank);
  const refresh = await planRefresh(kind, party.bank, others, (address) => state.accounts.get(address));
  const health = healthAccounts(amount === 'all' ? others : [...others, party.bank]);
  return { refresh, instruction: pulseHealth(party, health) };
}

function goalOf({ accounts, account }: ActionState, amount: ActionAmount, { address }: P0Bank) {
  const balance = account.state?.balances.find(({ bank }) => bank === address);
  return { amount, assetShares: balance?.assetShares ?? 0n, moment: accounts };
}

/** Where the account will have to be healthy, what is behind its other balances. Without debt any collateral will do, however old. */
function banksToValue(state: ActionState, { kind }: LendingAction, { bank }: LiveBank): readonly P0Bank[] {
  return needsHealth(state, kind) ? otherBanks(state, bank) : [];
}

function needsHealth({ account }: ActionState, kind: LendingActionKind): boolean {
  if (kind === 'borrow') return true;
  return kind === 'withdraw' && (account.state?.balances.some(hasLiability) ?? false);
}

function partOf(kind: LendingActionKind, amount: ActionAmount): bigint {
  if (amount !== 'all') return amount;
  throw new LendingError('INTERNAL__UNEXPECTED', {
    message: `A ${kind} of everything was to be planned, expected an amount`,
  });
}
