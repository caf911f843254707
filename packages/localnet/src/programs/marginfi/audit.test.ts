import { FIGURES } from '@lending/audit';
import { isSince, type ProgramVersion } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { randomTouches } from './testing/random-touches.ts';
import { TouchAudit } from './testing/touch-audit.ts';

const { AUDIT_COUNT = '600', AUDIT_SEED = '1' } = process.env;

describe.each(['0.1.10', '0.1.12'] satisfies ProgramVersion[])('the audit beside the model of %s', (version) => {
  it('finds no difference in anything that random transactions touch', async () => {
    const touches = new TouchAudit();
    for await (const touch of randomTouches(version, AUDIT_SEED, Number(AUDIT_COUNT))) touches.audit(touch);
    console.log([...touches.compared].map(([what, times]) => `${times}\t${what}`).join('\n'));
    expect(touches.differences).toEqual([]);
    for (const figure of FIGURES) {
      if (figure === 'premium' && !isSince(version, '0.1.12')) continue;
      expect(touches.countOf(figure), figure).toBeGreaterThan(Number(AUDIT_COUNT) / 60);
    }
  });
});
