import { describe, expect, it } from 'vitest';
import { ASSET_TAG, balanceDecimals, isIntegrationTag } from './asset-tag.ts';
import { formatVenue, VENUES } from './bank.ts';
import { INTEGRATIONS } from './integrations.ts';

describe('INTEGRATIONS', () => {
  it('have the asset tags of the program, behind those of its own pools', () => {
    expect(ASSET_TAG).toEqual({ default: 0, sol: 1, staked: 2, kamino: 3, drift: 4, solend: 5, juplend: 6 });
    expect([0, 1, 2, 3, 4, 5, 6, 7].filter(isIntegrationTag)).toEqual([3, 4, 5, 6]);
  });

  it('are all venues but P0, in that order', () => {
    expect(VENUES).toEqual(['p0', ...INTEGRATIONS.map(({ venue }) => venue)]);
    expect(VENUES.map(formatVenue)).toEqual(['P0', 'Kamino', 'Drift', 'Solend', 'JupLend']);
  });

  it('count in the mint’s decimals, but for Drift', () => {
    expect([0, 3, 4, 5, 6].map((tag) => balanceDecimals(tag, 6))).toEqual([6, 6, 9, 6, 6]);
  });
});
