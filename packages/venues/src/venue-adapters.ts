import { driftAdapter } from './drift/adapter.ts';
import { juplendAdapter } from './juplend/adapter.ts';
import { kaminoAdapter } from './kamino/adapter.ts';
import { solendAdapter } from './solend/adapter.ts';
import type { VenueAdapter } from './venue-adapter.ts';

/** Every venue behind P0. */
export const VENUE_ADAPTERS: readonly VenueAdapter[] = [kaminoAdapter, juplendAdapter, solendAdapter, driftAdapter];
