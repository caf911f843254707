import type { WireListedBank, WireLiveBank, WireLiveRate } from '../data/wire-records.ts';
import type { Query } from '../router/query.ts';

export const SIDES = ['lend', 'borrow'] as const;

/** What of the banks is shown; null chooses nothing. */
export interface BankFilter {
  /** Part of a symbol, a venue or an address, any case. */
  readonly text: string;
  readonly venue: string | null;
  readonly side: (typeof SIDES)[number] | null;
}

export function readFilter(query: Pick<Query, 'get'>): BankFilter {
  return {
    text: query.get('q') ?? '',
    venue: query.get('venue'),
    side: SIDES.find((side) => side === query.get('side')) ?? null,
  };
}

/** `lend` are those that take a deposit now, `borrow` those that lend out at all, whether or not anything is left. */
export function filterBanks(
  banks: readonly WireListedBank[],
  { text, venue, side }: BankFilter,
): readonly WireListedBank[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return banks.filter(
    (bank) =>
      (venue === null || bank.venue === venue) &&
      (side !== 'lend' || bank.actions_allowed.includes('deposit')) &&
      (side !== 'borrow' || bank.borrowable) &&
      words.every((word) => `${bank.symbol ?? ''} ${bank.venue} ${bank.address}`.toLowerCase().includes(word)),
  );
}

/** The banks as the stream left them: what it told replaces what was answered, bank by bank. Those it said nothing of stay the same objects. */
export function patchBanks(
  banks: readonly WireListedBank[],
  rates: ReadonlyMap<string, WireLiveRate>,
  states: ReadonlyMap<string, WireLiveBank>,
): readonly WireListedBank[] {
  return banks.map((bank) => {
    const rate = rates.get(bank.address);
    const state = states.get(bank.address);
    if (rate === undefined && state === undefined) return bank;
    return { ...bank, ...state?.bank, ...(rate !== undefined && { rates: rate.rates }) };
  });
}
