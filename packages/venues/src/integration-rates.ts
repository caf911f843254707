import type { IntegrationVenue } from '@lending/domain';
import { driftRate } from './drift/read-multiplier.ts';
import { juplendRate } from './juplend/read-multiplier.ts';
import { kaminoRate } from './kamino/read-multiplier.ts';
import { solendRate } from './solend/read-multiplier.ts';
import type { VenueRate } from './venue-rate.ts';

/** What each venue's receipts are worth, and whose accounts say so. */
export const INTEGRATION_RATES: Readonly<Record<IntegrationVenue, VenueRate>> = {
  kamino: kaminoRate,
  drift: driftRate,
  solend: solendRate,
  juplend: juplendRate,
};
