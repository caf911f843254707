import { formatVenue } from '@lending/domain';
import { isLendingError, type LendingError } from '@lending/errors';
import { type RefusalWords, type ReserveReading, readReserve } from '@lending/venues';
import type { LendingActionKind } from '#action.ts';
import type { ActionState, LiveBank } from '#live/action-state.ts';
import { momentOf } from '#live/read-banks.ts';
import { unitsOf } from './bank-units.ts';
import { refusalOf } from './refusal.ts';

/** What the venue behind a bank says; null on P0's own. */
export interface VenueState {
  readonly reading: ReserveReading | null;
}

/** The venue's state, or why nothing can be done with it. */
export function readVenue(
  state: Pick<ActionState, 'accounts'>,
  target: LiveBank,
  kind: LendingActionKind,
): { readonly venue: VenueState } | { readonly refusal: LendingError } {
  const { accounts } = state;
  try {
    const read = target.reserve;
    const reading = read === null ? null : readReserve(read, (address) => accounts.get(address), momentOf(accounts));
    if (reading !== null && isShut(reading, kind)) return { refusal: shut(target, reading) };
    // Asks for an amount so that accounts that cannot be read are refused here.
    unitsOf(target, accounts)?.worth(0n);
    return { venue: { reading } };
  } catch (error) {
    // The venue's accounts cannot be what they should.
    if (isLendingError(error) && error.code.startsWith('DECODE__')) return { refusal: unreadable(target, error) };
    throw error;
  }
}

/** The words for an amount that is above what a venue takes or pays out. */
export function venueLimitWords({ bank }: LiveBank, kind: LendingActionKind): RefusalWords {
  const name = formatVenue(bank.venue);
  if (kind === 'deposit') {
    return {
      code: 'ACTION__DEPOSIT_EXCEEDED',
      problem: `The deposit is above what ${name} takes for the reserve behind the bank`,
      change: 'Lower `amount`, or choose another `bank` of the same token that `svc_get_banks` lists',
    };
  }
  return {
    code: 'ACTION__WITHDRAW_EXCEEDED',
    problem: `The withdrawal is above what ${name} pays out of the reserve behind the bank at present`,
    change: 'Lower `amount`, or wait until lenders or time have made room',
  };
}

function isShut({ status, limits }: ReserveReading, kind: LendingActionKind): boolean {
  if (status === 'suspended' || status === 'unknown') return true;
  const room = kind === 'deposit' ? limits.depositRoomBase : limits.withdrawRoomBase;
  return status === 'closed' && room === 0n;
}

function shut(target: LiveBank, { status, statusReasons }: ReserveReading): LendingError {
  const { bank } = target;
  const state = status === 'suspended' ? 'Suspended' : status;
  const reasons = statusReasons.join(', ');
  return refusalOf(
    {
      code: 'ACTION__BANK_UNAVAILABLE',
      problem: `${formatVenue(bank.venue)} lets nothing be done with the reserve behind the bank (${reasons})`,
      change: 'Choose another `bank` of the same token that `svc_get_banks` lists',
    },
    'banks whose venue is active',
    { bank: bank.address, state, reasons: statusReasons, venue: formatVenue(bank.venue) },
  );
}

function unreadable({ bank }: LiveBank, cause: LendingError): LendingError {
  return refusalOf(
    {
      code: 'ACTION__BANK_UNAVAILABLE',
      problem: `The accounts of ${formatVenue(bank.venue)} behind the bank cannot be read: ${cause.message}`,
      change: 'Choose another `bank` of the same token that `svc_get_banks` lists',
    },
    'banks whose venue can be read',
    { bank: bank.address, state: null, venue: formatVenue(bank.venue) },
  );
}
