import { parseVenue, type Venue, type VenueOnWire } from '@lending/domain';

/** The venue that a record names. */
export function venueOf(onWire: VenueOnWire): Venue {
  const venue = parseVenue(onWire);
  if (venue === null) throw new TypeError(`${onWire} is no venue`);
  return venue;
}
