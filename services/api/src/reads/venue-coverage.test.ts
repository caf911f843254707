import type { Venue } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { describeVenues } from './venue-coverage.ts';
import { newestSamples } from './venue-samples.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 10, 0, 0);
const freshness = { nowMs: NOW_MS, staleAfterMs: 120_000 };

const sampledAgo = (venue: Venue, seconds: number | null) => ({
  venue,
  sample_time: seconds === null ? null : new Date(NOW_MS - seconds * 1000),
});

describe('describeVenues', () => {
  const samples = newestSamples([
    sampledAgo('p0', 5),
    sampledAgo('p0', 900),
    sampledAgo('kamino', 121),
    sampledAgo('kamino', null),
    sampledAgo('drift', null),
    sampledAgo('juplend', 120),
  ]);

  it('covers a venue by its newest sample, and names the others with the reason and since when', () => {
    expect(describeVenues(samples, undefined, freshness)).toEqual({
      venues_covered: ['P0', 'JupLend'],
      venues_missing: [
        { venue: 'Kamino', reason: 'not sampled for more than 120 s', since: '2026-11-21T09:57:59.000Z' },
        { venue: 'Drift', reason: 'never sampled yet', since: null },
      ],
    });
  });

  it('speaks of the venue that was asked about alone', () => {
    expect(describeVenues(samples, 'P0', freshness)).toEqual({ venues_covered: ['P0'], venues_missing: [] });
  });

  it('is silent about a venue that has no banks', () => {
    expect(describeVenues(samples, 'Solend', freshness)).toEqual({ venues_covered: [], venues_missing: [] });
  });
});
