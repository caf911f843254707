import { describe, expect, it } from 'vitest';
import { formatAge, formatSeconds, formatTime, formatUtc } from './time.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

describe('formatSeconds', () => {
  it('takes the largest unit that is whole, and hours up to two days', () => {
    const shown = [0.9, 59.9, 60, 3_599, 3_600, 172_799, 172_800].map(formatSeconds);
    expect(shown).toEqual(['0 s', '59 s', '1 min', '59 min', '1 h', '47 h', '2 d']);
  });

  it('knows nothing of what is not known', () => {
    expect([null, undefined, Number.NaN].map(formatSeconds)).toEqual(['–', '–', '–']);
  });
});

describe('formatAge', () => {
  it('says how long ago a time is', () => {
    expect(formatAge('2026-11-22T11:57:00Z', NOW)).toBe('3 min ago');
  });

  it('takes a time that lies ahead of our clock for now', () => {
    expect(formatAge('2026-11-22T12:00:09Z', NOW)).toBe('0 s ago');
  });

  it('knows no age of what is no time', () => {
    expect([null, undefined, 'soon'].map((time) => formatAge(time, NOW))).toEqual(['–', '–', '–']);
  });
});

describe('formatUtc and formatTime', () => {
  it('name the same moment, in UTC and in the zone of the reader', () => {
    expect(formatUtc('2026-11-22T03:51:51.789Z')).toBe('2026-11-22 03:51:51 UTC');
    expect(formatTime(NOW)).toBe(new Date(NOW).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }));
    expect(formatUtc('never')).toBe('unknown');
    expect(formatTime('never')).toBe('–');
  });
});
