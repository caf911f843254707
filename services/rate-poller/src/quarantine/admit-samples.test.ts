import { createLineLogger } from '@lending/fakes';
import { createMetrics } from '@lending/runtime';
import { describe, expect, it } from 'vitest';
import { madeSighting } from '#testing/made-sample.ts';
import { createAdmit, isMomentDoubted } from './admit-samples.ts';
import { createQuarantine } from './quarantine.ts';

const DOUBT = { reason: 'size_out_of_range', detail: 'total assets, as read' } as const;

function createBench() {
  const { logger, lines } = createLineLogger();
  const metrics = createMetrics();
  const quarantine = createQuarantine({ elapsedMs: () => 0 });
  const admit = createAdmit({ quarantine, source: 'localnet', logger, metrics });
  return { admit, lines, counted: async () => (await metrics.render()).match(/^rate_sample_quarantine_total\{.*$/gm) };
}

describe('createAdmit', () => {
  it('makes a message of a sample that is believed', () => {
    const { admit, lines } = createBench();
    const sighting = madeSighting();
    expect(admit(sighting)).toEqual({
      message: expect.objectContaining({ type: 'rate.sampled.v1', payload: sighting.sample, source: 'localnet' }),
      doubt: null,
    });
    expect(lines).toEqual([]);
  });

  it('sets aside what is not, counts each by venue and reason, and says so once', async () => {
    const { admit, lines, counted } = createBench();
    for (let round = 0; round < 3; round += 1) {
      const { message, doubt } = admit(madeSighting(0, { depositApr: '111' }));
      expect(doubt?.reason).toBe('rate_out_of_range');
      expect(message).toMatchObject({ type: 'rate.quarantined.v1', payload: { venue: 'kamino', ...doubt } });
    }
    expect(await counted()).toEqual(['rate_sample_quarantine_total{venue="kamino",reason="rate_out_of_range"} 3']);
    admit(madeSighting());
    expect(lines.map(({ level, event }) => `${level} ${event}`)).toEqual([
      'warn rate.sample.doubt',
      'info rate.sample.believe',
    ]);
  });

  it('sets aside a sample that rests on something doubted, with that reason', async () => {
    const { admit, counted } = createBench();
    const { message, doubt } = admit(madeSighting(), DOUBT);
    expect(doubt).toEqual(DOUBT);
    expect(message).toMatchObject({ type: 'rate.quarantined.v1', payload: DOUBT });
    expect(await counted()).toEqual(['rate_sample_quarantine_total{venue="kamino",reason="size_out_of_range"} 1']);
  });
});

describe('isMomentDoubted', () => {
  it('is so for what concerns the slot or the clock, and nothing else', () => {
    expect(isMomentDoubted({ reason: 'slot_went_back', detail: '' })).toBe(true);
    expect(isMomentDoubted({ reason: 'clock_jump', detail: '' })).toBe(true);
    expect(isMomentDoubted(DOUBT)).toBe(false);
    expect(isMomentDoubted(null)).toBe(false);
  });
});
