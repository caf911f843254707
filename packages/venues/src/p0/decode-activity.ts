import { NO_KEY } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { DecodedActivity, TransactionTrace } from './activity.ts';
import { touchedAccounts } from './activity-accounts.ts';
import { bracketsOf } from './activity-brackets.ts';
import { callsOf, type ProgramCall } from './activity-calls.ts';
import { stepOfEvent, withPremium } from './activity-from-event.ts';
import { stepOfInstruction } from './activity-from-instruction.ts';
import type { Step } from './activity-step.ts';
import { groupActivity } from './group-activity.ts';
import { groupChangesOf } from './group-changes.ts';
import { isKnownInstruction } from './known-instruction.ts';
import { tipLamportsOf } from './tips.ts';

/** What a transaction does not tell about an account, and someone else may know. */
export interface KnownAccounts {
  /** Whose account it is; null for one nobody knows. */
  readonly authorityOf: (account: Address) => Address | null;
}

const NOTHING_KNOWN: KnownAccounts = { authorityOf: () => null };

/**
 * What a transaction did to lending accounts: from the program's events where its logs have them, from the instructions where they
 * are missing or cut. Another program's events count for nothing, calls of the program by other programs count.
 *
 * Amounts are tokens that crossed the bank's side: what was credited to it after a fee of Token-2022, what left it before one; a
 * borrow without its origination fee, which is in the shares. Two kinds have no such tokens: a classic liquidation tells what it
 * seized in units of the asset bank's balances (a venue's receipts in a venue's bank) and what was repaid as a float, rounded here to
 * the nearest base unit, as is a debt written off. Shares are by how much they changed, never negative: the action tells the way.
 * Never throws for what a transaction says.
 * @param known whose accounts are, for rows that no event and no signature tells it of; without it those are counted as unknown.
 * @see marginfi-v2 programs/marginfi/src/events.rs and instructions/marginfi_account
 */
export function decodeActivity(
  trace: TransactionTrace,
  programId: Address,
  known: KnownAccounts = NOTHING_KNOWN,
): DecodedActivity {
  if (trace.isFailed) return { activities: [], changes: [], tipLamports: 0n, accounts: [], unknown: 0 };
  const { calls, unreadEvents } = callsOf(trace, programId);
  const read = calls.map((call) => stepOf(trace, call));
  const steps = read.filter((step) => typeof step === 'object' && step !== null);
  const owners = ownersIn(calls);
  const ownerOf = (account: Address) => owners.get(account) ?? known.authorityOf(account);
  const { activities, unowned } = groupActivity(trace.signature, steps, bracketsOf(calls), ownerOf);
  const unknownCalls = calls.filter((call) => !isKnownInstruction(call)).length;
  return {
    activities,
    changes: groupChangesOf(trace, calls),
    tipLamports: tipLamportsOf(trace),
    accounts: touchedAccounts(calls),
    unknown: unreadEvents + unknownCalls + unowned + read.filter((step) => step === 'unreadable').length,
  };
}

function stepOf(trace: TransactionTrace, call: ProgramCall): Step | 'unreadable' | null {
  const step = toldStep(trace, call);
  return typeof step === 'object' && step !== null ? withPremium(step, call) : step;
}

function toldStep(trace: TransactionTrace, call: ProgramCall): Step | 'unreadable' | null {
  for (const event of call.events) {
    const step = stepOfEvent(trace, call, event);
    // An order of an account that is closed already belongs to nobody; the tip of its execution is settled all the same.
    if (step !== null) return step.authority === NO_KEY && step.rebalance === undefined ? null : step;
  }
  return stepOfInstruction(trace, call);
}

/** Whose accounts they are, as the program's own events say. */
function ownersIn(calls: readonly ProgramCall[]): ReadonlyMap<Address, Address> {
  const headers = calls.flatMap(({ events }) =>
    events.flatMap(({ fields }) => ('header' in fields && 'marginfiAccount' in fields.header ? [fields.header] : [])),
  );
  return new Map(headers.map((header) => [header.marginfiAccount, header.marginfiAccountAuthority]));
}
