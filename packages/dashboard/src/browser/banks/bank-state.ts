import type { WireListedBank } from '../data/wire-records.ts';
import type { Tone } from '../parts/badge.ts';

interface BankState {
  readonly word: string;
  readonly tone: Tone;
  readonly title: string;
}

const STATES: Readonly<Record<string, readonly [string, Tone]>> = {
  Operational: ['Open', 'plain'],
  ReduceOnly: ['Reduce only', 'warning'],
  ReduceOnlyWithBorrowingPower: ['Reduce only', 'warning'],
  Paused: ['Paused', 'bad'],
  CircuitBroken: ['Halted', 'bad'],
  Suspended: ['Suspended', 'bad'],
  KilledByBankruptcy: ['Bankrupt', 'bad'],
  Uninitialized: ['Not set up', 'plain'],
};

/** What can be done with a bank now, in a word; the title lists the actions. An open bank that takes no deposit is full. */
export function describeState({
  operational_state,
  actions_allowed,
}: Pick<WireListedBank, 'operational_state' | 'actions_allowed'>): BankState {
  const title =
    actions_allowed.length === 0 ? 'Nothing is possible now' : `Possible now: ${actions_allowed.join(', ')}`;
  const [word, tone] = STATES[operational_state] ?? ['Unknown', 'plain'];
  if (operational_state === 'Operational' && !actions_allowed.includes('deposit')) {
    return { word: 'No deposits', tone: 'warning', title };
  }
  return { word, tone, title };
}
