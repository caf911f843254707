import { describe, expect, it } from 'vitest';
import { SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
import { AUDIT_OVERRULE, readOverrules } from './audit-overrule.ts';

const UNTIL = Date.parse('2027-01-31T12:00:00Z');

describe('readOverrules', () => {
  it('holds until the time is over, and for no other bank', () => {
    let nowMs = UNTIL - 1;
    const overruledUntil = readOverrules([`${SOL_BANK}@2027-01-31T12:00:00Z`], () => nowMs);
    expect([overruledUntil(SOL_BANK), overruledUntil(USDC_BANK)]).toEqual([UNTIL, null]);
    nowMs = UNTIL;
    expect(overruledUntil(SOL_BANK)).toBeNull();
  });

  it('takes the later entry of one bank, and times of any zone', () => {
    const items = [`${SOL_BANK}@2026-01-01T00:00Z`, `${SOL_BANK}@2027-01-31T14:00+02:00`];
    expect(readOverrules(items, () => UNTIL - 1)(SOL_BANK)).toBe(UNTIL);
  });

  it('overrules nothing where nothing is set', () => {
    expect(readOverrules(undefined, () => 0)(SOL_BANK)).toBeNull();
  });
});

describe('AUDIT_OVERRULE', () => {
  it.each([
    `${SOL_BANK}`,
    `${SOL_BANK}@`,
    `${SOL_BANK}@tomorrow`,
    `${SOL_BANK}@2027-01-31`,
    `${SOL_BANK}@2027-01-31T12:00:00`,
    `${SOL_BANK}@2027-13-31T12:00:00Z`,
    `${SOL_BANK}@2027-01-31T25:00:00Z`,
    'SOL@2027-01-31T12:00:00Z',
  ])('does not take %s', (item) => {
    expect(AUDIT_OVERRULE.test(item)).toBe(false);
  });

  it.each(['2027-01-31T12:00Z', '2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z', '2027-01-31T12:00:00-05:30'])(
    'takes %s, which is a time',
    (time) => {
      expect(AUDIT_OVERRULE.test(`${SOL_BANK}@${time}`)).toBe(true);
      expect(Date.parse(time)).not.toBeNaN();
    },
  );
});
