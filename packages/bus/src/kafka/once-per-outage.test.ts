import { describe, expect, it } from 'vitest';
import { createOncePerOutage } from './once-per-outage.ts';

const TRY = { namespace: 'Connection', message: 'Connection error: connect ECONNREFUSED', broker: 'a:1' };

describe('createOncePerOutage', () => {
  it('says each distinct line once, whatever its attempt, time and correlation id', () => {
    const isNews = createOncePerOutage(() => 0);
    const restart = { namespace: 'Consumer', message: 'Restarting the consumer in 300ms' };
    expect(
      [
        { ...TRY, retryCount: 0 },
        { ...TRY, retryCount: 1, correlationId: 7 },
        restart,
        { ...restart, message: 'Restarting the consumer in 977ms' },
        { ...TRY, error: 'The group is rebalancing, so a rejoin is needed' },
      ].map(isNews),
    ).toEqual([true, false, true, false, true]);
  });

  it('says it of each broker', () => {
    const isNews = createOncePerOutage(() => 0);
    expect([TRY, { ...TRY, broker: 'a:2' }, TRY].map(isNews)).toEqual([true, true, false]);
  });

  it('says it again in the next outage, and not in one that lasts', () => {
    let now = 0;
    const isNews = createOncePerOutage(() => now);
    const heard: boolean[] = [];
    for (now = 0; now <= 300_000; now += 30_000) heard.push(isNews(TRY));
    expect(heard.filter(Boolean)).toHaveLength(1);
    now += 61_000;
    expect(isNews(TRY)).toBe(true);
  });
});
