import { describe, expect, it } from 'vitest';
import { formatVenue, parseVenue, VENUES, venueOfAssetTag } from './bank.ts';

describe('parseVenue', () => {
  it('reads every venue as it is written on the wire, in any case', () => {
    for (const venue of VENUES) {
      expect(parseVenue(formatVenue(venue))).toBe(venue);
      expect(parseVenue(` ${formatVenue(venue).toUpperCase()}`)).toBe(venue);
    }
  });

  it('takes Save for Solend', () => {
    expect(parseVenue('Save')).toBe('solend');
  });

  it('knows no other', () => {
    expect(parseVenue('aave')).toBeNull();
    expect(parseVenue('')).toBeNull();
    expect(parseVenue('toString')).toBeNull();
  });
});

describe('venueOfAssetTag', () => {
  it('counts default, SOL and staked banks as P0', () => {
    expect([0, 1, 2].map(venueOfAssetTag)).toEqual(['p0', 'p0', 'p0']);
  });

  it('names the venue behind integration banks, and none for a tag it has not heard of', () => {
    expect([3, 4, 5, 6, 7].map(venueOfAssetTag)).toEqual(['kamino', 'drift', 'solend', 'juplend', null]);
  });
});
