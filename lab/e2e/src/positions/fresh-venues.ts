import type { Ledger } from '@lending/localnet';
import { juplendLendingLayout, klendReserveLayout, solendReserveLayout } from '@lending/programs';
import type { P0Bank } from '@lending/venues';

/**
 * Marks the reserves behind banks as refreshed in the open slot, as whoever acts on them would first. What a receipt is worth stays as it
 * is. Drift's stay as they are: nobody can refresh them.
 */
export function markRefreshed(ledger: Ledger, banks: readonly P0Bank[]): void {
  for (const { venue, venueAccount } of banks) {
    const state = venueAccount === null ? undefined : ledger.account(venueAccount);
    if (venueAccount === null || state === undefined) continue;
    const data = refreshed(venue, state.data, ledger);
    if (data !== null) ledger.writeAccount(venueAccount, { ...state, data: new Uint8Array(data) });
  }
}

function refreshed(venue: P0Bank['venue'], data: Uint8Array, ledger: Ledger) {
  const slot = ledger.slot('processed');
  switch (venue) {
    case 'kamino': {
      const codec = klendReserveLayout;
      const reserve = codec.decode(data);
      return codec.encode({ ...reserve, lastUpdate: { ...reserve.lastUpdate, slot, stale: 0 } });
    }
    case 'solend': {
      const codec = solendReserveLayout;
      const reserve = codec.decode(data);
      return codec.encode({ ...reserve, lastUpdate: { ...reserve.lastUpdate, slot, stale: 0 } });
    }
    case 'juplend': {
      const codec = juplendLendingLayout;
      return codec.encode({ ...codec.decode(data), lastUpdateTimestamp: ledger.unixTimestamp });
    }
    case 'drift':
    case 'p0':
      return null;
  }
}
