import type { ReserveKeys, VenueAdapter } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { AgingList } from './aging-list.ts';
import type { Round, RoundOptions } from './p0-round.ts';
import { toVenueMessages } from './publish/venue-messages.ts';
import type { UnreadReserves } from './quarantine/unread-reserves.ts';
import { readReserves } from './read-reserves.ts';

export interface VenueRoundOptions extends RoundOptions {
  readonly adapter: VenueAdapter;
  readonly reserves: AgingList<ReserveKeys>;
  readonly unreadReserves: UnreadReserves;
}

/** A round over a venue behind P0: its reserves, and the banks whose tokens earn there. */
export function createVenueRound(options: VenueRoundOptions): Round {
  const { adapter, reserves, banks, nativeRates, slotTime, prices, seen } = options;
  const published = new Map<Address, string>();
  return async (signal) => {
    const [listedReserves, listedBanks] = await Promise.all([reserves.get(signal), banks.get(adapter.venue, signal)]);
    nativeRates.refresh(signal);
    const slotMicros = await slotTime.get();
    const readings = await readReserves(listedReserves, listedBanks, { ...options, slotMicros, signal });
    const bankReadings = readings.flatMap((reading) => reading.banks);
    for (const { bank } of bankReadings) banks.update(bank);
    const messages = [...toVenueMessages(readings, { ...options, published }), ...(await prices.audit(bankReadings))];
    seen?.see(bankReadings, messages);
    return messages;
  };
}
