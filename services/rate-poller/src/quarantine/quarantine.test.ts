import type { RateSampled } from '@lending/events';
import { describe, expect, it } from 'vitest';
import { madeSighting } from '#testing/made-sample.ts';
import { createQuarantine, type Verdict } from './quarantine.ts';

/** A quarantine under a clock of its own; each sighting is a beat later. */
function createBench() {
  let seconds = 0;
  const quarantine = createQuarantine({ elapsedMs: () => seconds * 1_000 });
  const see = (fields: Partial<RateSampled> = {}, { aheadBy = 0, address = 'a', beat = 30 } = {}): Verdict => {
    seconds += beat;
    const sighting = madeSighting(seconds + aheadBy, fields);
    return quarantine.judge(address, sighting);
  };
  const word = (verdict: Verdict) => (verdict.kind === 'believed' ? 'believed' : verdict.doubt.reason);
  return { see, sees: (...given: Parameters<typeof see>) => word(see(...given)) };
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

describe('createQuarantine', () => {
  it('believes the first sighting, unless it cannot be', () => {
    const { sees } = createBench();
    expect(sees({ depositApr: '999' })).toBe('rate_out_of_range');
    expect(sees({ totalAssetsBase: '7000000000000' })).toBe('believed');
  });

  it('holds a jump back until it has stayed for five readings, and then takes it for the new state', () => {
    const { see, sees } = createBench();
    expect(sees()).toBe('believed');
    const fell = { exchangeRate: '1.1' };
    expect(see(fell)).toMatchObject({ kind: 'doubted', doubt: { reason: 'share_value_fell' }, isNew: true });
    expect(times(3, () => see(fell))).toEqual(times(3, () => expect.objectContaining({ isNew: false })));
    expect(see(fell)).toEqual({ kind: 'believed', hasSettled: true });
    expect(see(fell)).toEqual({ kind: 'believed', hasSettled: false });
    expect(sees()).toBe('share_value_jumped');
  });

  it.each(['0.99', '1.51'])('holds a share value of %s, a fifth away, back for half an hour', (exchangeRate) => {
    const { sees } = createBench();
    sees({ exchangeRate: '1.25' });
    // A beat every 30 s: the 61st reading is the first that comes half an hour after the first.
    const seen = times(62, () => sees({ exchangeRate }));
    expect(seen.slice(0, 60)).not.toContain('believed');
    expect(seen.slice(60)).toEqual(['believed', 'believed']);
  });

  it('forgets a jump that is gone again', () => {
    const { see, sees } = createBench();
    sees();
    for (let round = 0; round < 4; round += 1) {
      expect(times(4, () => sees({ exchangeRate: '1.1' }))).toEqual(times(4, () => 'share_value_fell'));
      expect(see()).toEqual({ kind: 'believed', hasSettled: true });
    }
  });

  it('does not believe readings that contradict each other, however many', () => {
    const { sees } = createBench();
    sees();
    const rates = ['1.1', '0.9', '2', '5', '0.3', '0.1', '9', '12', '1', '2', '3', '0.2'];
    expect(rates.map((exchangeRate) => sees({ exchangeRate }))).not.toContain('believed');
  });

  it('starts counting anew after a reading that cannot be', () => {
    const { sees } = createBench();
    sees();
    const fell = { exchangeRate: '1.1' };
    expect(times(4, () => sees(fell))).not.toContain('believed');
    expect(sees({ ...fell, utilization: '3' })).toBe('utilization_out_of_range');
    expect(times(4, () => sees(fell))).not.toContain('believed');
    expect(sees(fell)).toBe('believed');
  });

  it('never believes what cannot be, however long it stays', () => {
    const { sees } = createBench();
    sees();
    expect(new Set(times(50, () => sees({ depositApr: '999' })))).toEqual(new Set(['rate_out_of_range']));
    expect(sees()).toBe('believed');
  });

  it('sets aside a chain clock that jumps and comes back, and follows one that stays ahead', () => {
    const { sees } = createBench();
    sees();
    const day = 86_400;
    expect(times(2, () => sees({}, { aheadBy: day }))).toEqual(['clock_jump', 'clock_jump']);
    expect(sees()).toBe('believed');
    expect(times(4, () => sees({}, { aheadBy: day }))).toEqual(times(4, () => 'clock_jump'));
    expect(sees({}, { aheadBy: day })).toBe('believed');
    expect(sees({}, { aheadBy: day })).toBe('believed');
  });

  it('lets a chain that stood still catch up at once', () => {
    const { sees } = createBench();
    sees();
    for (let beat = 1; beat <= 100; beat += 1) expect(sees({}, { aheadBy: -30 * beat })).toBe('believed');
    expect(sees()).toBe('believed');
    expect(sees({}, { aheadBy: 3_000 })).toBe('clock_jump');
  });

  it('keeps addresses apart', () => {
    const { sees } = createBench();
    sees();
    expect(sees({ exchangeRate: '9' }, { address: 'b' })).toBe('believed');
    expect(sees({ exchangeRate: '9' })).toBe('share_value_jumped');
  });

  it('takes three hours without a reading for what they are', () => {
    const { sees } = createBench();
    sees();
    expect(sees({ exchangeRate: '1.2501' }, { beat: 10_800 })).toBe('believed');
  });

  it('measures with a steady clock when none is given', async () => {
    const quarantine = createQuarantine();
    expect(quarantine.judge('a', madeSighting(0)).kind).toBe('believed');
    expect(quarantine.judge('a', madeSighting(120)).kind).toBe('believed');
    expect(quarantine.judge('a', madeSighting(242)).kind).toBe('doubted');
  });
});
