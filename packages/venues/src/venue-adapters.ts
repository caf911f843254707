import { driftAdapter } from './drift/adapter.ts';
import { juplendAdapter } from './juplend/adapter.ts';
import { kaminoAdapter } from './kamino/adapter.ts';
import type { ReserveVenue } from './reserve.ts';
import { solendAdapter } from './solend/adapter.ts';
import type { VenueAdapter } from './venue-adapter.ts';

const ADAPTERS: Readonly<Record<ReserveVenue, VenueAdapter>> = {
  kamino: kaminoAdapter,
  drift: driftAdapter,
  solend: solendAdapter,
  juplend: juplendAdapter,
};

/** Every venue behind P0. */
export const VENUE_ADAPTERS: readonly VenueAdapter[] = Object.values(ADAPTERS);
